import assert from "node:assert/strict";
import { statSync, truncateSync, unlinkSync } from "node:fs";
import { after, before, describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../src/lib/testing/until.ts";
import { freezePostgres } from "../support/frozen-postgres.ts";
import { startPostgres, type TestServer } from "../support/postgres.ts";
import { createFolder, startProgram, startSource } from "../support/program.ts";
import { fillDisk, mountSmallDisk } from "../support/small-disk.ts";

const serving = fileURLToPath(new URL("programs/serving.ts", import.meta.url));

async function start(t: TestContext, framework: string, env: Record<string, string>) {
  const program = startProgram(t, [serving, framework, "none"], { env: { ...env, NODE_ENV: "production" } });
  const [, url] = await program.says(/up at (http:\S+)/);
  let served = 0;

  /** Requests pages from the application, which must not notice that Annex has a problem. */
  async function requestPages(): Promise<void> {
    for (let count = 0; count < 20; count++, served++) {
      const response = await fetch(`${url}/page/${served}`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /A page/);
      assert.match(response.headers.get("x-trace-id") ?? "", /^[A-Za-z0-9]{18}$/);
    }
  }

  async function readHealth(): Promise<string> {
    await requestPages();
    const response = await fetch(`${url}/api/health`);
    return ((await response.json()) as { status: string }).status;
  }

  return {
    program,
    waitForHealth: (wanted: string) => until(`Annex is ${wanted}`, readHealth, (status) => status === wanted),
    async end() {
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended, [null, "SIGTERM"]);
      assert.doesNotMatch(program.stderr, /Uncaught|Unhandled|Node\.js v/);
    },
  };
}

describe("the application goes on, and Annex reports degraded health and recovers,", () => {
  for (const framework of ["express", "fastify"]) {
    it(`if its disk is full, on ${framework}`, async (t) => {
      const folder = mountSmallDisk(t, "6m");
      if (folder === undefined) return t.skip("needs the right to mount a file system");
      const { waitForHealth, end } = await start(t, framework, { DATA: folder });
      await waitForHealth("healthy");
      const fill = fillDisk(folder);
      await waitForHealth("degraded");
      unlinkSync(fill);
      await waitForHealth("healthy");
      await end();
    });
  }

  describe("if its database is frozen,", () => {
    /** A server of its own: the one that is shared must not be frozen. */
    let server: TestServer;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    it("and ends by a signal meanwhile", async (t) => {
      const env = { DATA: createFolder(t), DATABASE: server.url };
      const { waitForHealth, end } = await start(t, "express", env);
      await waitForHealth("healthy");
      let frozen = await freezePostgres(server.url);
      t.after(() => frozen.thaw());
      await waitForHealth("degraded");
      frozen.thaw();
      await waitForHealth("healthy");
      frozen = await freezePostgres(server.url);
      await end();
      frozen.thaw();
    });
  });
});

/** An application that goes on without Annex if it cannot be attached. */
const withoutAnnex = `
  import express from "express";
  const app = express();
  const monitor = annex.createApp({ signals: false });
  app.get("/page", (_request, response) => void response.send("sold"));
  app.get("/error", () => { throw new Error("broken"); });
  app.use(monitor.errorHandler);
  await monitor.attach(app).catch((error) => console.log("not attached:", error.code, error.message));
  const server = app.listen(0, () => console.log("up at http://127.0.0.1:" + server.address().port));
`;

describe("an application whose disk is full when it starts", () => {
  // With a few blocks, SQLite fails at another file.
  for (const freeBytes of [0, 32_768])
    it(`learns why, and can go on without Annex: ${freeBytes} bytes free`, async (t) => {
      const folder = mountSmallDisk(t, "6m");
      if (folder === undefined) return t.skip("needs the right to mount a file system");
      const fill = fillDisk(folder);
      truncateSync(fill, statSync(fill).size - freeBytes);
      const program = startSource(t, withoutAnnex, { env: { SVC_DATA_DIR: folder } });
      const [, code, message] = await program.says(/not attached: (\S+) (.*)/);
      assert.equal(code, "DATA_DIR_UNUSABLE");
      assert.equal(
        message,
        `The data folder ${folder} cannot be used: the disk is full. Free some space and start again.`,
      );
      const [, url] = await program.says(/up at (http:\S+)/);
      const page = await fetch(`${url}/page`);
      assert.deepEqual([page.status, await page.text()], [200, "sold"]);
      assert.equal(page.headers.get("x-trace-id"), null);
      assert.equal((await fetch(`${url}/error`)).status, 500);
      assert.equal((await fetch(`${url}/api/health`)).status, 404);
      program.child.kill("SIGTERM");
      assert.deepEqual(await program.ended, [null, "SIGTERM"]);
    });
});
