import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTodosApp } from "../../examples/todos/app.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createFolder, startProgram } from "../support/program.ts";

/** The tools of this folder's package, which has a TypeScript of its own. */
const tool = (name: string) => join(import.meta.dirname, "node_modules", name);

/** As somebody would write it who has nothing but the document: it compiles only if paths, methods and values are right. */
const program = `
  import createClient from "openapi-fetch";
  import type { paths } from "./api.d.ts";
  const client = createClient<paths>({ baseUrl: process.argv[2] });
  const list = await client.GET("/todos");
  const one = await client.GET("/todos/{id}", { params: { path: { id: "nothing" } } });
  const refused = await client.POST("/todos", { body: { title: "Milk" } });
  // @ts-expect-error: a todo needs a title
  const untitled = await client.POST("/todos", { body: { done: true } });
  // @ts-expect-error: pages are numbers
  const wrongPage = await client.GET("/todos", { params: { query: { page: "first" } } });
  const titles: string[] | undefined = list.data?.items.map(({ title }) => title);
  // @ts-expect-error: there is no such path
  const unknown = await client.GET("/nothing");
  // @ts-expect-error: the path value is missing
  const missing = await client.GET("/todos/{id}");
  const message: string | undefined = refused.error?.message;
  if (!titles) throw new Error("there is no list");
  console.log(JSON.stringify([list.response.status, one.response.status, refused.response.status, message, one.error?.trace_id.length]));
`;

describe("a client made from the example's document", () => {
  it("type-checks, and calls the running example", async (t) => {
    const dataDir = createFolder(t);
    const app = createTodosApp({
      port: 0,
      dataDir,
      signals: false,
      log: { destination: join(dataDir, "log") },
    });
    t.after(() => app.stop());
    const { url } = await app.start();
    // Beside the packages that the client imports.
    const folder = mkdtempSync(join(import.meta.dirname, "made-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const document = join(folder, "openapi.json");
    // A busy machine may not have read the source yet, and the document says so.
    const text = await until(
      "the source is read",
      async () => (await fetch(`${url}/api/docs/v2/openapi.json`)).text(),
      (text) => JSON.parse(text)["x-analysis"]?.level === "exact",
    );
    writeFileSync(document, text);
    const generator = tool("openapi-typescript/bin/cli.js");
    execFileSync(
      process.execPath,
      [generator, document, "-o", join(folder, "api.d.ts"), "--default-non-nullable=false"],
      {
        stdio: "ignore",
      },
    );
    assert.match(readFileSync(join(folder, "api.d.ts"), "utf8"), /"\/todos\/\{id\}"/);

    writeFileSync(join(folder, "client.ts"), program);
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
    execFileSync(process.execPath, [tool("typescript/bin/tsc"), "-p", folder], { stdio: "inherit" });

    const client = startProgram(t, [join(folder, "client.ts"), `${url}/api/v2`]);
    assert.deepEqual(await client.ended, [0, null], client.stderr);
    const [list, one, refused, message, traceLength] = JSON.parse(client.stdout);
    assert.deepEqual([list, one, refused, traceLength], [200, 404, 401, 18]);
    assert.match(message, /Authentication required/);
  });
});
