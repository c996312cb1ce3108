// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface A {
  a: string;
}
export function routes(r: VersionedRouter) {
  r.post("/a", async (e) => {
    const b: A = JSON.parse((await e.readBytes()).toString());
    return e.json(200, b);
  });
  r.post("/a2", async (e) => {
    const buf = await e.readBytes();
    const b: A = JSON.parse(buf.toString());
    return e.json(200, b);
  });
  r.post("/b", async (e) => {
    const b = JSON.parse((await e.readText()).trim()) as A;
    return e.json(200, b);
  });
  r.get("/c", (e) =>
    e.json(200, {
      n: Number(e.query("n")?.trim()),
      f: e.query("f")?.toLowerCase() === "true",
      p: parseInt(e.query("p")!.replace("x", "")),
    }),
  );
  r.get("/d", (e) => {
    const dir = e.query("dir")!.toLowerCase();
    if (!["asc", "desc"].includes(dir)) throw e.error(400, "d");
    return e.json(200, { dir });
  });
  r.get("/d2", (e) => {
    const raw = e.query("dir")!;
    const dir = raw.toUpperCase();
    if (!["ASC", "DESC"].includes(dir)) throw e.error(400, "d");
    return e.json(200, { dir });
  });
  r.get("/f", (e) => {
    const v = e.query("range")!;
    const [a, b] = v.split("-");
    if (!["1", "2"].includes(a!)) throw e.error(400, "r");
    return e.json(200, { a, b: Number(b) });
  });
  r.get("/g", (e) => {
    const v = e.query("sort")!;
    const key = v.slice(1);
    if (!["name", "age"].includes(key)) throw e.error(400, "r");
    return e.json(200, { key });
  });
  r.get("/h", (e) => {
    const v = e.query("amount")!;
    const n = Number(v.replace(",", "."));
    return e.json(200, { n });
  });
  r.get("/i", (e) => {
    const v = e.query("on")!.toLowerCase();
    return e.json(200, { v: v === "true" || v === "on" });
  });
  r.post("/j", async (e) => {
    let body: A;
    try {
      body = await e.bindBody();
    } catch {
      throw e.error(400, "b");
    }
    return e.json(200, body);
  });
}
