import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { createTestApp } from "../src/app/testing/test-app.ts";
import {
  APIVersionManager,
  type App,
  checked,
  type ErrorBody,
  type InjectRequest,
  type Router,
  requireAuth,
  type UploadedFile,
} from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

interface Note {
  text: string;
  /** @integer @minimum 1 */
  stars?: number;
  author: { name: string; roles: ("reader" | "editor")[] };
}

interface Drawing {
  shape: { kind: "circle"; radius: number } | { kind: "square"; side: number };
  size: string | { width: number };
  owner: { name: string } | null;
}

const count = z.object({ count: z.coerce.number() });

/** Routes outside of the versions of the application. */
function addRoutes(router: Router): void {
  router.post("/notes", async (e) => e.json(201, await e.bindBody<Note>())).bind(checked());
  router.post("/drawings", async (e) => e.json(201, await e.bindBody<Drawing>())).bind(checked());
  router.post("/counts", async (e) => e.json(201, await e.bindBody(count))).bind(checked());
  router.post("/texts", async (e) => e.json(201, await e.bindBody<{ text: string }>())).bind(checked());
  router.post("/dates", async (e) => e.json(201, await e.bindBody<{ due: Date }>())).bind(checked());
  router
    .post("/private", async (e) => e.json(201, await e.bindBody<{ text: string }>()))
    .bind(checked(), requireAuth());
  router
    .get("/pages/{id}", (e) => {
      const page = Number.parseInt(e.query("page") ?? "1", 10);
      return e.json(200, { id: e.pathValue("id"), page, ids: e.queryAll("id").map(Number) });
    })
    .bind(checked());
  router
    .post("/files", async (e) => {
      const { file, title } = await e.bindBody<{ file: UploadedFile; title: string }>();
      return e.json(201, { size: file.size, title });
    })
    .bind(checked());
}

function createVersions(): APIVersionManager {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", { checked: true });
  versions.setVersionRouteRegistrar("v1", (router) => {
    router.post("/api/v1/notes", async (e) => e.json(201, await e.bindBody<{ text: string }>()));
  });
  versions.registerVersion("v2");
  versions.setVersionRouteRegistrar("v2", (router) => {
    router.post("/api/v2/notes", async (e) => e.json(201, await e.bindBody<{ text: string }>()));
    router.post("/api/v2/files", async (e) => {
      const { file } = await e.bindBody<{ file: UploadedFile }>();
      return e.json(201, { size: (await file.bytes()).length });
    });
  });
  return versions;
}

const post = (url: string, body: unknown): InjectRequest => ({ method: "POST", url, body: body as object });

function form(url: string, parts: Record<string, string | Blob>): InjectRequest {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.append(name, value);
  return { method: "POST", url, body };
}

describe("checked()", () => {
  const cleanups: (() => unknown)[] = [];
  const versions = createVersions();
  let app: App;

  before(async () => {
    app = createTestApp({ after: (cleanup) => void cleanups.push(cleanup) }, { versions, dev: true });
    app.onServe(({ router }) => addRoutes(router));
    // On a busy machine, the analysis takes longer than requests wait.
    await until(
      "the source has been analyzed",
      () => app.inject(post("/notes", {})),
      ({ status }) => status !== 503,
    );
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  /** The status and, for an error, the problems. */
  async function send(request: InjectRequest): Promise<[status: number, data: unknown]> {
    const response = await app.inject(request);
    return [response.status, response.status < 400 ? response.json() : response.json<ErrorBody>().data];
  }

  it("refuses bodies that are not of the declared type, with one entry per field", async () => {
    const author = { name: "Ada", roles: ["reader"] };
    const note = { text: "hi", author, other: [1] };
    assert.deepEqual(await send(post("/notes", note)), [201, note], "nothing is removed or filled in");
    const wrong = { text: 7, stars: 0, author: { roles: ["reader", "boss"] } };
    assert.deepEqual(await send(post("/notes", wrong)), [
      400,
      {
        text: { code: "invalid", message: "Must be a string." },
        stars: { code: "invalid", message: "Must be >= 1." },
        "author.name": { code: "required", message: "Required." },
        "author.roles.1": { code: "invalid", message: "Must be one of: reader, editor." },
      },
    ]);
    assert.deepEqual(await send(post("/notes", { ...note, stars: "5" })), [
      400,
      { stars: { code: "invalid", message: "Must be an integer." } },
    ]);
    for (const body of ["null", "[]", "7"]) {
      const headers = { "content-type": "application/json" };
      assert.deepEqual(await send({ method: "POST", url: "/notes", headers, body }), [
        400,
        { body: { code: "invalid", message: "Must be an object." } },
      ]);
    }
  });

  it("reports one problem for a union, and those of the member that a field selects", async () => {
    const good = { shape: { kind: "circle", radius: 1 }, size: "small", owner: null };
    assert.equal((await send(post("/drawings", good)))[0], 201);
    const wrong = { shape: { kind: "circle", side: 1 }, size: { width: "1" }, owner: {} };
    assert.deepEqual(await send(post("/drawings", wrong)), [
      400,
      {
        "shape.radius": { code: "required", message: "Required." },
        size: { code: "invalid", message: "Must match one of the allowed types." },
        "owner.name": { code: "required", message: "Required." },
      },
    ]);
    for (const shape of [{ kind: "star" }, {}, "circle", null])
      assert.equal((await send(post("/drawings", { ...good, shape })))[0], 400, JSON.stringify(shape));
  });

  it("checks query parameters, and leaves path values as they are", async () => {
    assert.deepEqual(await send({ url: "/pages/x?page=2&id=1&id=2" }), [
      200,
      { id: "x", page: 2, ids: [1, 2] },
    ]);
    assert.deepEqual(await send({ url: "/pages/x?page=two" }), [
      400,
      { page: { code: "invalid", message: "Must be an integer." } },
    ]);
  });

  it("leaves input to the schema that the handler passes", async () => {
    assert.deepEqual(await send(post("/counts", { count: "7" })), [201, { count: 7 }]);
    assert.equal((await send(post("/counts", { count: "x" })))[0], 400);
  });

  it("checks the fields of forms, and refuses other content types", async () => {
    const file = new Blob(["abc"]);
    assert.deepEqual(await send(form("/files", { file, title: "t" })), [201, { size: 3, title: "t" }]);
    assert.deepEqual(await send(form("/files", { file: "abc", title: file })), [
      400,
      {
        file: { code: "invalid", message: "Must be a file." },
        title: { code: "invalid", message: "Must be a string." },
      },
    ]);
    assert.equal((await send(post("/files", { file: "x", title: "t" })))[0], 415);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assert.deepEqual(await send({ method: "POST", url: "/texts", headers, body: "text=hi" }), [
      201,
      { text: "hi" },
    ]);
    assert.equal((await send(form("/texts", { text: "hi" })))[0], 415);
  });

  it("applies to all routes of a version with `checked: true`, and to no others", async () => {
    assert.equal((await send(post("/api/v1/notes", { text: 7 })))[0], 400);
    assert.equal((await send(post("/api/v1/notes", { text: "7" })))[0], 201);
    assert.deepEqual(await send(post("/api/v2/notes", { text: 7 })), [201, { text: 7 }], "a cast");
    assert.throws(() => versions.updateVersionConfig("v1", { checked: false }), {
      code: "INVALID_DOCS_CONFIG",
    });
  });

  it("fails every request to a route whose types cannot be checked, and says where the cause is", async () => {
    const response = await app.inject(post("/dates", { due: "2026-01-01T00:00:00Z" }));
    assert.equal(response.status, 500);
    assert.match(
      response.json<ErrorBody>().message,
      /^POST \/dates has checked\(\), but its requests cannot be checked: tests\/checked\.test\.ts:\d+: `due` is an object/,
    );
  });

  it("checks after authentication", async () => {
    assert.equal((await send(post("/private", { text: 7 })))[0], 401);
  });

  it("is not needed to refuse bodies without files where the type has one", async () => {
    assert.equal((await send(post("/api/v2/files", { file: "x" })))[0], 415);
    const file = new Blob(["abc"]);
    assert.deepEqual(await send(form("/api/v2/files", { file })), [201, { size: 3 }]);
  });
});
