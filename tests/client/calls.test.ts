import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { createFolder, startProgram } from "../support/program.ts";
import { findTypeErrors } from "../support/typescript.ts";

const bin = resolve(import.meta.dirname, "../../src/cli/bin.ts");
/** A path, because the compiler does not resolve URLs. */
const library = JSON.stringify(resolve(import.meta.dirname, "../../src/index.ts"));

/** An application with every kind of body and response. */
const server = `
import { Readable } from "node:stream";
import { createApp, initializeVersionedSystemWithRoutes, type RequestEvent, requireAuth, type UploadedFile } from ${library};

interface Item {
  id: string;
  name: string;
  price?: number;
  parent: Item | null;
}

const items = new Map<string, Item>();

/** Lists items. */
function listItems(e: RequestEvent) {
  const limit = Number(e.query("limit") ?? 20);
  if (!Number.isInteger(limit)) throw e.error(400, "Invalid limit.", { limit: { code: "invalid", message: "Use an integer." } });
  return e.json(200, { items: [...items.values()].slice(0, limit), tags: e.queryAll("tag"), q: e.query("q") ?? null });
}

async function createItem(e: RequestEvent) {
  const { name, price } = await e.bindBody<{ name: string; price?: number }>();
  const same = items.get(name);
  if (same) throw e.error(409, "This item exists.", { id: same.id });
  const item: Item = { id: name, name, parent: null, ...(price !== undefined && { price }) };
  items.set(name, item);
  return e.json(201, item);
}

function getItem(e: RequestEvent<"id">) {
  const item = items.get(e.pathValue("id"));
  if (!item) throw e.error(404, "There is no such item.");
  return e.json(200, item);
}

function deleteItem(e: RequestEvent<"id">) {
  items.delete(e.pathValue("id"));
  return e.noContent();
}

async function upload(e: RequestEvent<"id">) {
  const { file, caption } = await e.bindBody<{ file: UploadedFile; caption?: string }>();
  const text = Buffer.from(await file.bytes()).toString();
  return e.json(201, { id: e.pathValue("id"), name: file.name, type: file.type, text, caption: caption ?? null });
}

async function echo(e: RequestEvent) {
  return e.text(200, (await e.readText()).toUpperCase());
}

function photo(e: RequestEvent) {
  return e.bytes(200, "image/png", Buffer.from([1, 2, 3]));
}

function exportItems(e: RequestEvent) {
  return e.stream(200, "text/csv", Readable.from(["id\\n", ...[...items.keys()].map((id) => id + "\\n")]));
}

function watch(e: RequestEvent) {
  const parts = ["data: one\\r", "\\ndata: two\\nid: 7\\r\\n\\r", "\\n: comment\\nevent: done\\ndata:\\n\\n", "data: never sent whole"];
  return e.stream(200, "text/event-stream", Readable.from(parts));
}

function readFile(e: RequestEvent<"path">) {
  return e.text(200, e.pathValue("path"));
}

function whoAmI(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id });
}

function partner(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id, authorization: e.header("authorization") ?? null });
}

function status(e: RequestEvent) {
  return e.json(200, { tenant: e.header("x-tenant") ?? null });
}

const versions = initializeVersionedSystemWithRoutes({
  v1: { routes: (router) => router.get("/api/v1/old", (e) => e.noContent()) },
  v2: {
    config: {
      title: "Items",
      securitySchemes: {
        user: { type: "http", scheme: "bearer" },
        partnerKey: { type: "apiKey", in: "header", name: "x-partner-key" },
      },
    },
    routes(router) {
      const api = router.setPrefix("/api/v2");
      api.get("/items", listItems);
      api.post("/items", createItem);
      api.get("/items/{id}", getItem);
      api.delete("/items/{id}", deleteItem);
      api.post("/items/{id}/file", upload);
      api.post("/echo", echo);
      api.get("/photo", photo);
      api.get("/export", exportItems);
      api.get("/watch", watch);
      api.get("/files/{path...}", readFile);
      api.get("/me", whoAmI).bind(requireAuth({ scheme: "user" }));
      api.get("/partner", partner).bind(requireAuth({ scheme: "partnerKey" }));
      router.get("/status", status);
    },
  },
}, "v1");

const app = createApp({ port: 0, versions });
app.authenticate((e) => {
  const id = e.header("x-partner-key") ?? /^Bearer (.+)$/.exec(e.header("authorization") ?? "")?.[1];
  return id === undefined ? null : { id, name: id };
});
const { url } = await app.start();
console.error("serving", url);
`;

/** A program as a user would write it. It is type-checked before it runs. */
const program = `
import { ApiError, createClient, isApiError, type Item } from "./api-client.ts";

const url = process.argv[2] ?? "";
const api = createClient({
  baseUrl: url + "/api/v2/",
  headers: () => ({ "x-tenant": "one" }),
  auth: { user: async () => "ada", partnerKey: "acme" },
});
const results: { [name: string]: unknown } = {};

const created: Item = await api.post("/items", { body: { name: "a/b ?#", price: 2.5 } });
results["created"] = created;
results["same"] = await api.get("/items/{id}", { path: { id: created.id } });
results["list"] = await api.get("/items", { query: { tag: ["x", "y&z"], q: undefined, limit: 5 } });
results["conflict"] = await api.post("/items", { body: { name: created.name } }).catch((error: unknown) => {
  if (!isApiError(error, "post", "/items") || error.status !== 409) throw error;
  return [error.message, error.data["id"], error.trace_id.length, error instanceof ApiError, error.response.status];
});
results["invalid"] = await api.get("/items", { query: { limit: 1.5 } }).catch((error: unknown) =>
  error instanceof ApiError ? [error.name, error.status, error.data, error.path] : String(error),
);
const file = new File(["hello"], "hello.txt", { type: "text/plain" });
results["upload"] = await api.post("/items/{id}/file", { path: { id: 7 }, body: { file, caption: "Hi" } });
results["text"] = await api.post("/echo", { body: "hello" });
results["stream"] = await api.post("/echo", { body: new Blob(["from a stream"]).stream() });
const photo = await api.get("/photo");
results["photo"] = [photo.type, [...new Uint8Array(await photo.arrayBuffer())]];
results["export"] = await api.get("/export");
const response = await api.fetch("get", "/export");
const chunks: number[] = [];
for (const reader = response.body!.getReader(); ; ) {
  const { done, value } = await reader.read();
  if (done) break;
  chunks.push(value.byteLength);
}
results["chunks"] = [response.status, response.headers.get("content-type"), chunks.reduce((sum, each) => sum + each, 0)];
results["events"] = [];
for await (const event of await api.get("/watch")) (results["events"] as unknown[]).push(event);
results["file"] = await api.get("/files/{path}", { path: { path: "a b/c%2F/d" } });
results["me"] = await api.get("/me");
results["partner"] = await api.get("/partner");
results["status"] = await api.get("/status", { headers: { "x-tenant": "two" } });
results["anonymous"] = await createClient({ baseUrl: url + "/api/v2" }).get("/me").catch((error: unknown) =>
  error instanceof ApiError ? error.status : String(error),
);
results["deleted"] = [await api.delete("/items/{id}", { path: { id: created.id } })];
for (const id of ["..", ".", ""])
  results["path " + id] = await api.delete("/items/{id}", { path: { id } }).catch(String);
results["rest"] = await api.get("/files/{path}", { path: { path: "../items" } }).catch(String);
results["aborted"] = await api.get("/items", { signal: AbortSignal.abort() }).catch((error: Error) => error.name);
const fake = createClient({ fetch: async (at, init) => Response.json([at, init.method, init.credentials]), credentials: "include" });
results["fake"] = await fake.get("/items/{id}", { path: { id: "1" } });
const html = createClient({ fetch: async () => new Response("<p>", { headers: { "content-type": "text/html" } }) });
results["html"] = await html.get("/items").catch(String);
const proxy = createClient({ fetch: async () => new Response("Bad gateway", { status: 502, statusText: "Bad Gateway" }) });
results["proxy"] = await proxy.get("/items").catch((error: ApiError) => [error.message, error.data, error.body, error.trace_id]);
console.log(JSON.stringify(results));
`;

describe("annex client", () => {
  it("writes a client that calls the running application", async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, "server.ts"), server);
    writeFileSync(join(folder, "program.ts"), program);
    const running = startProgram(t, [join(folder, "server.ts")], {
      env: { SVC_DATA_DIR: join(folder, "svc_data") },
    });
    const generator = startProgram(t, [bin, "client", "server.ts", "v2", "--out", "api-client.ts"], {
      cwd: folder,
    });
    assert.deepEqual(await generator.ended, [0, null], generator.stderr);
    assert.equal(generator.stdout, "Wrote api-client.ts\n");
    assert.deepEqual(findTypeErrors(folder, { files: ["program.ts"] }), []);
    const [, url] = await running.says(/serving (\S+)/);
    const caller = startProgram(t, [join(folder, "program.ts"), url!]);
    assert.deepEqual(await caller.ended, [0, null], caller.stderr);

    const item = { id: "a/b ?#", name: "a/b ?#", parent: null, price: 2.5 };
    const results = JSON.parse(caller.stdout);
    assert.deepEqual(results, {
      created: item,
      same: item,
      list: { items: [item], tags: ["x", "y&z"], q: null },
      conflict: ["This item exists.", item.id, 18, true, 409],
      invalid: ["ApiError", 400, { limit: { code: "invalid", message: "Use an integer." } }, "/items"],
      upload: { id: "7", name: "hello.txt", type: "text/plain", text: "hello", caption: "Hi" },
      text: "HELLO",
      stream: "FROM A STREAM",
      photo: ["image/png", [1, 2, 3]],
      export: "id\na/b ?#\n",
      chunks: [200, "text/csv", 10],
      events: [
        { event: "message", data: "one\ntwo", id: "7" },
        { event: "done", data: "", id: "7" },
      ],
      file: "a b/c%2F/d",
      me: { id: "ada" },
      partner: { id: "acme", authorization: null },
      status: { tenant: "two" },
      anonymous: 401,
      deleted: [null],
      "path ..": 'TypeError: Invalid value of {id} in /items/{id}: ".."',
      "path .": 'TypeError: Invalid value of {id} in /items/{id}: "."',
      "path ": 'TypeError: Invalid value of {id} in /items/{id}: ""',
      rest: 'TypeError: Invalid value of {path} in /files/{path}: "../items"',
      aborted: "AbortError",
      fake: ["/api/v2/items/1", "GET", "include"],
      html: "TypeError: Expected JSON from GET /items, got text/html",
      proxy: ["GET /items returned 502 Bad Gateway", {}, "Bad gateway", ""],
    });
  });
});
