import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../src/lib/testing/until.ts";
import { createFolder, type Program, startProgram } from "../support/program.ts";

const failing = fileURLToPath(new URL("programs/failing.ts", import.meta.url));

interface Failure {
  readonly framework: string;
  /** Requests to send, one after the other. Each fails in the way that its path says. */
  readonly requests?: readonly string[];
  /** Fails in this way without a request. */
  readonly atOnce?: string;
  readonly when?: "created" | "attaching" | "listening";
  readonly handlers?: string;
  readonly nodeOptions?: readonly string[];
}

interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly trace_id?: string;
  readonly path?: string;
  readonly error?: { readonly message: string } | string;
}

class Run {
  readonly program: Program;
  readonly dataDir: string | undefined;

  constructor(t: TestContext, failure: Failure, dataDir: string | undefined) {
    const { framework, atOnce = "", when = "listening", handlers = "", nodeOptions = [] } = failure;
    const env = { HANDLERS: handlers, WHEN: when, NODE_ENV: "production" };
    this.dataDir = dataDir;
    this.program = startProgram(t, [...nodeOptions, failing, framework, atOnce], {
      env: { ...env, ...(dataDir !== undefined && { DATA: dataDir }) },
    });
  }

  /** What the application and Node have said, without what only Annex knows. */
  get output() {
    const { stdout, stderr } = this.program;
    return {
      stdout: stdout.replace(/^up at .*\n|^trace .*\n/gm, ""),
      stderr: stderr
        .replace(/\n {2}No superuser exists yet.*\n.*\n\n/, "")
        .replace(/^ +at (AsyncLocalStorage\.run|.*\/src\/).*\n/gm, "")
        .replace(/\(node:\d+\)|\(rejection id: \d+\)/g, "(…)"),
    };
  }

  /** The trace IDs of the requests, by path. */
  get traces(): Map<string, string> {
    const found = this.program.stdout.matchAll(/^trace (\S+) (\S+)$/gm);
    return new Map(Array.from(found, ([, trace, path]) => [path!, trace!]));
  }

  /** The errors in the log of Annex. */
  get errors(): LogRecord[] {
    const lines = readFileSync(join(this.dataDir!, "app.log"), "utf8").split("\n").slice(0, -1);
    const records = lines.map((line) => JSON.parse(line) as LogRecord);
    return records.filter(({ level }) => level === "ERROR");
  }

  /** Returns the URL of the application. */
  async sendRequests(paths: readonly string[]): Promise<string> {
    const [, url] = await this.program.says(/up at (http:\S+)/);
    for (const path of paths) {
      // Many of them get no response.
      void fetch(`${url}/${path}`).catch(() => {});
      await this.program.says(new RegExp(`trace \\S+ ${path}\n`));
    }
    return url!;
  }
}

function describeError({ error, trace_id }: LogRecord) {
  const message = typeof error === "object" ? error.message : error;
  // Node wraps reasons that are not errors.
  return [message?.replace(/^This error originated .* reason "(.*)"\.$/, "$1"), trace_id];
}

/** Sends the requests one after the other: each is sent when what failed in the one before has been handled. */
async function sendInTurn(run: Run, paths: readonly string[]): Promise<void> {
  const countAlive = () => run.program.stdout.match(/^alive$/gm)?.length ?? 0;
  for (const requests of [...paths.map((path) => [path]), []]) {
    const before = countAlive();
    await run.sendRequests([...requests, "alive"]);
    await until("the process goes on", countAlive, (count) => count > before);
  }
}

/** Runs the program with and without Annex at the same time. */
async function compare(t: TestContext, failure: Failure, finish: (run: Run) => Promise<unknown>) {
  const plain = new Run(t, failure, undefined);
  const attached = new Run(t, failure, createFolder(t));
  const [ended, endedAttached] = await Promise.all([plain, attached].map(finish));
  assert.deepEqual(endedAttached, ended);
  assert.deepEqual(attached.output, plain.output);
  return { attached, ended };
}

const messages: Record<string, string> = {
  timer: "thrown in a timer",
  rejection: "rejected",
  text: "rejected with text",
  listener: "thrown in a listener",
  event: "emitted without a listener",
  sync: "thrown by the listener of the server",
};

describe("an error outside of the handlers ends the process as without Annex, and is logged first", () => {
  const failures: Failure[] = [
    { framework: "express", requests: ["timer"] },
    { framework: "express", requests: ["rejection"] },
    { framework: "express", requests: ["event"] },
    { framework: "express", atOnce: "timer" },
    { framework: "fastify", requests: ["text"] },
    { framework: "fastify", requests: ["listener"] },
    { framework: "fastify", atOnce: "rejection" },
    { framework: "koa", requests: ["timer"] },
    { framework: "hono", requests: ["listener"] },
    { framework: "node", requests: ["sync"], nodeOptions: ["--stack-trace-limit=50"] },
    // A handler for rejections does not keep the process running after an exception.
    { framework: "node", requests: ["timer"], handlers: "rejection" },
  ];
  for (const failure of failures) {
    const { framework, requests = [], atOnce, handlers } = failure;
    const way = requests[0] ?? atOnce!;
    const where = `${framework}, ${way}${atOnce ? " outside of requests" : ""}`;
    it(where + (handlers ? `, with a handler for ${handlers}` : ""), async (t) => {
      const { attached, ended } = await compare(t, failure, async (run) => {
        if (requests.length > 0) await run.sendRequests(requests);
        return run.program.ended;
      });
      assert.deepEqual(ended, [1, null]);
      assert.match(attached.output.stderr, /Node\.js v/);
      const trace = atOnce ? undefined : attached.traces.get(way);
      if (!atOnce) assert.match(trace!, /^[A-Za-z0-9]{18}$/);
      assert.deepEqual(attached.errors.map(describeError), [[messages[way], trace]]);
    });
  }

  for (const when of ["created", "attaching"] as const) {
    for (const atOnce of ["timer", "rejection"]) {
      it(`express, ${atOnce}, while Annex is ${when}`, async (t) => {
        const failure: Failure = { framework: "express", atOnce, when };
        const { ended } = await compare(t, failure, ({ program }) => program.ended);
        assert.deepEqual(ended, [1, null]);
      });
    }
  }
});

describe("an error outside of the handlers spares the process as without Annex, and is logged", () => {
  const all = ["timer", "rejection", "text", "listener", "event", "undefined"];
  const failures: (Failure & { requests: string[]; name: string })[] = [
    { name: "handlers for both", framework: "express", handlers: "exception rejection", requests: all },
    { name: "handlers for both", framework: "fastify", handlers: "exception rejection", requests: all },
    { name: "a handler for exceptions", framework: "koa", handlers: "exception", requests: all },
    {
      name: "a handler for exceptions",
      framework: "node",
      handlers: "exception",
      requests: ["sync", ...all],
    },
    { name: "a capture callback", framework: "express", handlers: "capture", requests: all },
    {
      name: "--unhandled-rejections=warn",
      framework: "express",
      nodeOptions: ["--unhandled-rejections=warn"],
      requests: ["rejection", "text"],
    },
    {
      name: "--unhandled-rejections=strict and a handler for exceptions",
      framework: "node",
      handlers: "exception",
      nodeOptions: ["--unhandled-rejections=strict", "--stack-trace-limit=50"],
      requests: ["rejection", "text"],
    },
    {
      name: "--unhandled-rejections=none",
      framework: "fastify",
      nodeOptions: ["--unhandled-rejections=none"],
      requests: ["rejection", "text"],
    },
  ];
  for (const failure of failures) {
    it(`${failure.framework}, ${failure.name}`, async (t) => {
      const { requests } = failure;
      const { attached } = await compare(t, failure, (run) => sendInTurn(run, requests));
      const errors = await until(
        "all errors are logged",
        () => attached.errors,
        ({ length }) => length >= requests.length,
      );
      const expected = requests.map((way) => [messages[way], attached.traces.get(way)]);
      assert.deepEqual(errors.map(describeError), expected);
    });
  }

  for (const when of ["created", "attaching"] as const) {
    it(`express, a handler for exceptions, while Annex is ${when}`, async (t) => {
      const failure: Failure = { framework: "express", atOnce: "rejection", when, handlers: "exception" };
      const { attached } = await compare(t, failure, (run) => sendInTurn(run, []));
      assert.match(attached.output.stdout, /spared rejected \(unhandledRejection\)/);
    });
  }
});

describe("an error in a timer of Annex's own work is left to the application, too", () => {
  it("a job run fails if the process is spared, and a request gets 500", async (t) => {
    const run = new Run(t, { framework: "express", handlers: "exception" }, createFolder(t));
    const url = await run.sendRequests(["job"]);
    const response = await fetch(`${url}/own`);
    assert.equal(response.status, 500);
    const { trace_id } = (await response.json()) as { trace_id: string };
    await run.program.says(/(spared thrown in a timer.*){2}/s);
    const errors = await until(
      "the errors and the failed run are logged",
      () => run.errors,
      ({ length }) => length === 3,
    );
    const own = errors.filter(({ path }) => path === "/own");
    assert.deepEqual(own.map(describeError), [["thrown in a timer", trace_id]]);
    assert.deepEqual(
      errors.filter(({ path }) => path !== "/own").map(({ msg }) => msg),
      ['Unhandled error in background work of job "timer"', 'Job "timer" failed'],
    );
  });

  it("a job run ends the process with code 1 if nothing handles the error, which is logged first", async (t) => {
    const run = new Run(t, { framework: "fastify" }, createFolder(t));
    await run.sendRequests(["job"]);
    assert.deepEqual(await run.program.ended, [1, null]);
    assert.match(run.output.stderr, /^file:.*failing\.ts.*TypeError: thrown in a timer.*Node\.js v/s);
    assert.deepEqual(run.errors.map(describeError), [["thrown in a timer", run.traces.get("job")]]);
  });
});
