import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { startProgram } from "../support/program.ts";

const root = resolve(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

describe("the examples for other frameworks", () => {
  for (const name of ["express", "fastify", "nest", "koa", "hono"]) {
    it(`npm run start:${name}`, async (t) => {
      assert.equal(scripts[`prestart:${name}`], scripts["prestart:shop"]);
      const [, ...args] = scripts[`start:${name}`]!.split(" ");
      const env = { PORT: "0", SVC_DATA_DIR: createTemporaryFolder() };
      const program = startProgram(t, args, { cwd: root, env });
      const [, url] = await program.says(/Dashboard at (http:\S+)\/_\/_/);
      const request = async (path: string, init?: RequestInit) => {
        const response = await fetch(url + path, init);
        assert.match(response.headers.get("x-trace-id") ?? "", /^\w{18}$/);
        return response;
      };

      assert.equal(((await (await request("/books/1")).json()) as { id: number }).id, 1);
      assert.equal((await request("/books/1/loans", { method: "POST" })).status, 201);
      assert.deepEqual(await (await request("/stats")).json(), { books: 2, lent: 2 });
      assert.match(await (await request("/_/_", { headers: { accept: "text/html" } })).text(), /<html/);

      const missing = await request("/books/9");
      assert.equal(missing.status, 404);
      assert.match(await missing.text(), /There is no book 9/);
      const invalid = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
      assert.equal((await request("/books", invalid)).status, 400);
      const failed = await request("/orders", { method: "POST" });
      assert.equal(failed.status, 500);
      await failed.text();

      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended, [null, "SIGTERM"]);
      const errors = program.stdout.split("\n").filter((line) => line.includes('"level":"ERROR"'));
      assert.equal(errors.length, 1, errors.join("\n"));
      const { trace_id, error } = JSON.parse(errors[0]!) as {
        trace_id: string;
        error: { cause: { message: string } };
      };
      assert.equal(trace_id, failed.headers.get("x-trace-id"));
      assert.match(error.cause.message, /ECONNREFUSED/);
      assert.match(program.stdout, /Application stopped/);
    });
  }
});
