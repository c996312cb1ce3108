import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { after, describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { createTestApp } from "../../src/app/testing/test-app.ts";
import { createLogging, errorWithContext } from "../../src/features/logging/index.ts";
import type { App } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { clientFailures } from "./clients.ts";
import { postgresFailures, prismaFailures, sqliteFailures } from "./databases.ts";
import { canary, type Failures, failureOf } from "./failure.ts";
import { mysqlFailures } from "./mysql.ts";
import { validatorFailures } from "./validators.ts";

/** Errors of libraries contain values of queries and requests, which must not appear in any output. */

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});
const close = (end: () => unknown) => void ends.push(end);

async function createFailures(): Promise<Failures> {
  const database = await createTestDatabase();
  close(database.drop);
  return {
    ...sqliteFailures(close),
    ...(await postgresFailures(database.url, close)),
    ...prismaFailures,
    ...(await mysqlFailures(close)),
    ...(await clientFailures(close)),
    ...validatorFailures,
  };
}

const failures = await createFailures();
const names = Object.keys(failures);

/** Logs an error everywhere in the data of a record. */
function logEverywhere(app: App, error: unknown): void {
  errorWithContext(null, app, "with context", error, { order: 17 });
  if (!(error instanceof Error)) return;
  app.logger.error("alone", error as object);
  app.logger.error("in a field", { error });
  app.logger.warn("inside", {
    list: [error],
    map: new Map([["a", error]]),
    set: new Set([error]),
    deep: { error },
  });
  app.logger.info("as a cause", { error: new Error("outer", { cause: error }) });
  app.logger.info("together", { error: new AggregateError([error], "outer") });
}

function createFailing(t: { after(end: () => unknown): void }): App & { readonly dataDir: string } {
  const app = createTestApp(t, { dev: true, docsSources: false });
  app.onServe(({ router }) => {
    router.get("/fail/{index}", (e) => failures[names[Number(e.pathValue("index"))]!]!() as never);
    router.get("/wrap/{index}", async (e) => {
      const error = await failureOf(failures[names[Number(e.pathValue("index"))]!]!);
      throw new AggregateError([error], "wrapped", { cause: new Error("outer", { cause: error }) });
    });
    router.get("/log/{index}", async (e) => {
      logEverywhere(app, await failureOf(failures[names[Number(e.pathValue("index"))]!]!));
      return e.noContent();
    });
  });
  app.jobs.registerJob("fail", "Fail", "Fails with every error", "0 0 1 1 *", async (log) => {
    for (const name of names) {
      const error = await failureOf(failures[name]!);
      if (!(error instanceof Error)) continue;
      // The types allow only text, but any value is described.
      for (const value of [error, { list: [error] }]) log.warn(value as unknown as string);
    }
    throw await failureOf(failures[names[0]!]!);
  });
  return app;
}

describe("errors of libraries", () => {
  it("appear in no output with the values of queries and requests", { timeout: 540_000 }, async (t) => {
    const app = createFailing(t);
    const { url } = await app.start();
    await app.superusers.create("ada@example.com", "correct horse");
    const login = await app.inject({
      method: "POST",
      url: "/api/collections/_superusers/auth-with-password",
      body: { identity: "ada@example.com", password: "correct horse" },
    });
    const { token } = login.json<{ token: string }>();
    const outputs = new Map<string, string>();
    const read = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });
      const text = await response.text();
      outputs.set(`${method} ${path} ${headers.accept ?? ""} ${response.status}`, text);
      return text;
    };
    for (const [index, name] of names.entries()) {
      for (const accept of ["text/html", "application/json"]) await read(`/fail/${index}`, { accept });
      const debugged = outputs.get(`GET /fail/${index} application/json 500`);
      assert.match(debugged ?? "", /"debug":/, name);
      await read(`/wrap/${index}`);
      await read(`/log/${index}`);
    }
    await read("/api/cron/jobs/fail/run", {}, "POST");
    await until(
      "the job has failed",
      async () => JSON.parse(await read("/api/cron/logs/fail")) as { items: { status: string }[] },
      ({ items }) => items[0]?.status === "failed",
    );
    const { errors } = await until(
      "the errors are stored",
      async () => JSON.parse(await read("/_/_/data/errors")) as { errors: { fingerprint: string }[] },
      (page) => page.errors.length >= 20,
    );
    for (const { fingerprint } of errors) await read(`/_/_/data/errors/${fingerprint}`);
    for (const page of ["logs?limit=1000", "logs.ndjson", "requests", "recent?limit=200", "now", "cron"])
      await read(`/_/_/data/${page}`);
    await app.stop();
    for (const file of readdirSync(app.dataDir))
      outputs.set(file, readFileSync(join(app.dataDir, file), "latin1"));
    for (const [name, text] of outputs) {
      const at = text.indexOf(canary);
      assert.equal(at, -1, `${name}: ${text.slice(Math.max(0, at - 500), at + 100)}`);
    }
    assert.match(outputs.get("app.log")!, /"constraint":"users_email_key"/);
    assert.match(
      outputs.get("app.log")!,
      /Failed query: insert into users values \(2, \$1\)\\nparams: \[redacted\]/,
    );
  });

  for (const name of names) {
    it(`are readable in a terminal: ${name}`, async () => {
      const lines: string[] = [];
      const destination = new Writable({
        write(bytes, _encoding, done) {
          lines.push(bytes.toString());
          done();
        },
      });
      const logging = createLogging({
        level: "info",
        destination,
        format: "pretty",
        colors: true,
      });
      const error = await failureOf(failures[name]!);
      logging.recordError("failed", error);
      logging.logger.error(error instanceof Error ? `failed: ${error.message}` : "failed");
      await logging.close();
      const text = stripVTControlCharacters(lines.join(""));
      assert.doesNotMatch(text, new RegExp(canary));
      assert.match(text, /ERROR failed/);
    });
  }
});
