// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface Row {
  id: number;
}
declare global {
  var db: {
    get(id: string, cb: (err: Error | null, row?: Row) => void): void;
    all(): Promise<Row[]>;
    once: any;
  };
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => {
    db.get("1", (err, row) => {
      if (err) {
        e.json(500, { db: 1 });
        return;
      }
      if (!row) {
        e.json(404, { none: 1 });
        return;
      }
      e.json(200, row);
    });
  });
  r.get("/b", async (e) => {
    const rows = await db.all();
    rows.forEach((x, i) => {
      if (i === 0) throw e.error(409, "first");
    });
    return e.json(200, rows);
  });
  r.get("/c", async (e) => {
    const rows = await db.all();
    const v = rows.map((x, i) => e.query(`item_${i}`));
    return e.json(200, v);
  });
  r.get("/d", async (e) => {
    const rows = await db.all();
    const n = rows.reduce((sum, x) => {
      if (sum > 5) throw e.error(413, "sum");
      return sum + x.id;
    }, 0);
    return e.json(200, { n });
  });
  r.get("/f", async (e) => {
    const rows = await db.all();
    const t = rows.reduce((acc, x, i, arr) => {
      if (!arr) throw e.error(499, "never");
      return acc;
    }, {} as object);
    return e.json(200, t);
  });
  r.get("/g", async (e) => {
    await db.once("ready", (ok: boolean, info?: string) => {
      if (!info) throw e.error(424, "i");
      return e.json(200, { info });
    });
  });
  r.get("/h", (e) => {
    ["a", "b"].forEach((n, i) => {
      e.query(n + i);
    });
    return e.json(200, {});
  });
  r.get("/i", (e) => {
    const t = [1, 2].reduce((acc, n) => acc + n, 0);
    if (t === 0) return e.json(202, { t });
    return e.json(200, { t });
  });
}
