import assert from "node:assert/strict";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { loadClientGenerator, type OpenAPIDocument } from "../../src/features/docs/index.ts";
import { notesDocument } from "../support/notes-document.ts";
import { createFolder, startProgram } from "../support/program.ts";
import { type compilers, findTypeErrors } from "../support/typescript.ts";
import { hostileDocument } from "./hostile-document.ts";

const root = resolve(import.meta.dirname, "../..");
const bin = join(root, "src/cli/bin.ts");
const golden = join(root, "tests/golden");
const { createClientSource } = await loadClientGenerator();

function readDocument(file: string): OpenAPIDocument {
  return JSON.parse(readFileSync(file, "utf8")) as OpenAPIDocument;
}

/** One client per document. Clients are modules, so they do not affect each other. */
function writeClients(t: TestContext, documents: ReadonlyMap<string, OpenAPIDocument>): string {
  const folder = createFolder(t);
  for (const [name, document] of documents)
    writeFileSync(join(folder, `${name}.ts`), createClientSource(document));
  return folder;
}

const listGolden = (pattern: string) =>
  globSync(pattern, { cwd: golden })
    .sort()
    .map((file): [string, OpenAPIDocument] => [
      file.replace("/openapi.json", "").replaceAll("/", "-"),
      readDocument(join(golden, file)),
    ]);

/** Compiles only if the types accept the right calls and refuse the wrong ones. */
const usage = `
  import { ApiError, type ApiData, type ApiRequest, createClient, isApiError, type Note } from "./notes.ts";
  const api = createClient({ auth: { bearerAuth: async () => undefined }, credentials: "include" });

  export const notes: Note[] = await api.get("/notes");
  const maybe: string | undefined = notes[0]?.due ?? undefined;
  await api.get("/notes", { query: { q: maybe, tag: ["a", "b"], page: 2 }, signal: AbortSignal.timeout(1) });
  const note = await api.get("/notes/{id}", { path: { id: 7 } });
  export const color: "yellow" | "green" = note.color;
  export const created: Note = await api.post("/notes", { body: { text: "Milk" }, headers: { "x-trace": 1 } });
  export const nothing: undefined = await api.delete("/notes/{id}", { path: { id: note.id } });
  export const csv: string = await api.get("/export");
  export const photo: { size: number } = await api.post("/notes/{id}/photo", { path: { id: 1 }, body: { photo: new Blob([]) } });
  await api.post("/notes/{id}/photo", { path: { id: 1 }, body: new FormData() });
  for await (const { event, data, id } of await api.get("/events")) console.log(event, data, id);
  export const body: ApiRequest<"post", "/notes">["body"] = { text: "", tags: [] };
  export const data: ApiData<"get", "/notes"> = [note];
  const response = await api.fetch("get", "/export");
  export const stream: ReadableStream<Uint8Array> | null = response.body;
  const { status, json } = await api.fetch("post", "/notes", { body });
  export const only: 201 = status;
  export const again: Note = await json();

  try {
    await api.post("/notes", { body });
  } catch (error) {
    if (isApiError(error, "post", "/notes")) {
      if (error.status === 409) console.log(error.data.id.length, error.body.message);
      // @ts-expect-error: only a conflict has the ID of the other note
      else console.log(error.data.id.length);
      // @ts-expect-error: 200 is not an error
      if (error.status === 200) console.log(error);
    } else if (error instanceof ApiError) console.log(error.status.toFixed(), error.trace_id, error.data["id"]);
  }

  // @ts-expect-error: there is no such path
  await api.get("/nothing");
  // @ts-expect-error: there is no such method
  await api.put("/notes", {});
  // @ts-expect-error: the path has another method
  await api.delete("/notes");
  // @ts-expect-error: the path value is missing
  await api.get("/notes/{id}");
  // @ts-expect-error: the path value has another name
  await api.get("/notes/{id}", { path: { key: "1" } });
  // @ts-expect-error: pages are numbers
  await api.get("/notes", { query: { page: "first" } });
  // @ts-expect-error: there is no such parameter
  await api.get("/notes", { query: { search: "Milk" } });
  // @ts-expect-error: the body is missing
  await api.post("/notes");
  // @ts-expect-error: the text is missing
  await api.post("/notes", { body: { tags: [] } });
  // @ts-expect-error: a photo is a file
  await api.post("/notes/{id}/photo", { path: { id: 1 }, body: { photo: "photo.png" } });
  // @ts-expect-error: there is no such scheme
  createClient({ auth: { cookie: "a" } });
`;

/** Headers that the client has need not be passed to each call. */
const headerUsage = `
  import { createClient } from "./headers.ts";
  const plain = createClient();
  await plain.get("/a", { headers: { "x-tenant": "t", "x-other": 1 } });
  // @ts-expect-error: the header is missing
  await plain.get("/a");
  await createClient({ headers: { "x-tenant": "t" } }).get("/a");
  await createClient({ headers: async () => ({ "x-tenant": "t" }) }).get("/a", { headers: { "x-page": 2 } });
  // @ts-expect-error: it is another header
  await createClient({ headers: { "x-other": "t" } }).get("/a");
`;

const headersDocument: OpenAPIDocument = {
  ...notesDocument,
  paths: {
    "/a": {
      get: {
        operationId: "a",
        parameters: [
          { name: "x-tenant", in: "header", required: true, schema: { type: "string" } },
          { name: "x-page", in: "header", schema: { type: "integer" } },
          { name: "origin", in: "header", required: true, schema: { type: "string" } },
        ],
        responses: { 204: { description: "No Content" } },
      },
    },
  },
};

const own = new Map<string, OpenAPIDocument>([
  ...listGolden("applications/*/openapi.json"),
  ["notes", notesDocument],
  ["headers", headersDocument],
  ["hostile", hostileDocument],
]);

describe("a generated client", () => {
  it("type-checks for every golden document", (t) => {
    const documents = new Map(listGolden("**/openapi.json"));
    assert.ok(documents.size > 350);
    assert.deepEqual(findTypeErrors(writeClients(t, documents)), []);
  });

  it("is the same each time", () => {
    for (const [name, document] of own)
      assert.equal(createClientSource(document), createClientSource(structuredClone(document)), name);
  });

  it("runs nothing that the document contains", async (t) => {
    const folder = writeClients(t, new Map([["hostile", hostileDocument]]));
    await import(join(folder, "hostile.ts"));
    assert.equal((globalThis as { attacked?: boolean }).attacked, undefined);
  });
});

describe("the types of a generated client", () => {
  /** Clients of both versions of the example and of other documents, and programs that use them. */
  async function writeAll(t: TestContext): Promise<string> {
    const specs = createFolder(t);
    const args = [bin, "specs", "generate", join(root, "examples/todos/main.ts"), "--out", specs];
    const generator = startProgram(t, args, { cwd: root });
    assert.deepEqual(await generator.ended, [0, null], generator.stderr);
    const todos = ["v1", "v2"].map((version): [string, OpenAPIDocument] => [
      `todos-${version}`,
      readDocument(join(specs, `${version}.json`)),
    ]);
    const folder = writeClients(t, new Map([...own, ...todos]));
    writeFileSync(join(folder, "usage.ts"), usage);
    writeFileSync(join(folder, "header-usage.ts"), headerUsage);
    return folder;
  }

  it("accept the right calls and refuse the wrong ones, with each TypeScript", async (t) => {
    const folder = await writeAll(t);
    assert.match(
      readFileSync(join(folder, "todos-v2.ts"), "utf8"),
      /\* Lists todos in pages\. Search with q/,
    );
    const runs: [compiler: keyof typeof compilers, isBrowser: boolean][] = [
      [5, true],
      [6, false],
      [7, true],
      [7, false],
    ];
    for (const [compiler, isBrowser] of runs)
      assert.deepEqual(
        findTypeErrors(folder, { compiler, isBrowser }),
        [],
        `TypeScript ${compiler}, ${isBrowser ? "browser" : "Node"}`,
      );
  });
});
