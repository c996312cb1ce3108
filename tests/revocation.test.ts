/** Live streams of whole applications end when the token behind them does, whichever instance ended it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { createTemporaryFolder, createTestApp } from "../src/app/testing/test-app.ts";
import { type App, requireSuperuserAuth } from "../src/index.ts";
import { settles, until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";

const password = "correct horse";
const collection = "/api/collections/_superusers";
/** Without a revocation the streams would last a quarter of an hour. */
const deadline = { timeout: 180_000 };

interface Instance {
  readonly app: App;
  readonly url: string;
}

/** Starts instances that share a store, with a job that runs until the test ends. */
async function startInstances(t: TestContext, count: number): Promise<Instance[]> {
  const dataDir = createTemporaryFolder(t);
  const database = count > 1 ? await createDatabase(t) : undefined;
  const gate = Promise.withResolvers<void>();
  t.after(() => gate.resolve());
  const instances: Instance[] = [];
  for (let index = 0; index < count; index++) {
    const app = createTestApp(t, {
      dataDir,
      instance: `instance-${index}`,
      log: { destination: join(dataDir, `app${index}.log`) },
      ...(database !== undefined && { database }),
    });
    app.jobs.registerJob("slow", "Slow", "Runs until the test ends", "0 0 1 1 *", async (log) => {
      log.info("waiting");
      await gate.promise;
    });
    app.onServe(({ router }) => {
      // The application's own streams, which do not know about sessions.
      const finish = { onStop: "finish" } as const;
      router
        .get("/own", (e) => e.sse(({ send }) => void send({ data: "open" })))
        .bind(requireSuperuserAuth());
      router
        .get("/long", (e) => e.sse(({ send }) => void send({ data: "open" }), finish))
        .bind(requireSuperuserAuth());
      router.upgrade("/socket", () => {}).bind(requireSuperuserAuth());
    });
    instances.push({ app, url: (await app.start()).url });
  }
  for (const name of ["ada", "bob"])
    await instances[0]!.app.superusers.create(`${name}@example.com`, password);
  return instances;
}

async function createDatabase(t: TestContext): Promise<string> {
  const { url, drop } = await createTestDatabase();
  t.after(drop);
  return url;
}

async function signIn({ url }: Instance, name: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}${collection}/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identity: `${name}@example.com`, password }),
  });
  return { authorization: ((await response.json()) as { token: string }).token };
}

/** Opens a stream and waits for its first bytes. The promise resolves when it has ended. */
async function open(url: string, headers: Record<string, string>): Promise<{ end: Promise<void> }> {
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200);
  const reader = response.body!.getReader();
  await reader.read();
  const readOn = async () => {
    await until("the stream ends", async () => (await reader.read()).done);
  };
  return { end: readOn() };
}

/** Opens a WebSocket. The promise resolves with the code when it has closed. */
async function openSocket(t: TestContext, url: string, headers: Record<string, string>) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/socket`, { headers });
  t.after(() => socket.terminate());
  await settles("the WebSocket opens", once(socket, "open"));
  return { socket, closed: once(socket, "close").then(([code]) => code as number) };
}

for (const [what, count] of [
  ["one instance on SQLite", 1],
  ["two instances on PostgreSQL", 2],
] as const) {
  describe(`streams of ${what}`, () => {
    const causes: [
      what: string,
      cause: (instance: Instance, bob: Record<string, string>) => Promise<unknown>,
    ][] = [
      ["a removal", ({ app }) => app.superusers.remove("bob@example.com")],
      [
        "a sign-out",
        ({ url }, headers) => fetch(`${url}${collection}/auth-logout`, { method: "POST", headers }),
      ],
    ];
    for (const [cause, revoke] of causes) {
      it(`end after ${cause}, and those of others go on`, deadline, async (t) => {
        const instances = await startInstances(t, count);
        const [first, last] = [instances[0]!, instances.at(-1)!];
        const [ada, bob] = [await signIn(first, "ada"), await signIn(first, "bob")];
        const { id } = await first.app.jobs.run("slow");
        const paths = ["/_/_/live", `/api/cron/runs/${id}/stream`, "/own", "/long"];
        const urls = instances.flatMap(({ url }) => paths.map((path) => url + path));
        const streams = await Promise.all(urls.map((url) => open(url, bob)));
        const kept = await open(`${last.url}/_/_/live`, ada);
        const sockets = await Promise.all(instances.map(({ url }) => openSocket(t, url, bob)));
        const keptSocket = await openSocket(t, last.url, ada);
        await revoke(first, bob);
        await Promise.all(streams.map(({ end }) => end));
        for (const { closed } of sockets) assert.equal(await settles("the WebSocket closes", closed), 1008);
        for (const url of urls) assert.equal((await fetch(url, { headers: bob })).status, 401);
        const state = await Promise.race([kept.end.then(() => "ended"), fetchOnce(last, ada)]);
        assert.equal(state, "open");
        assert.equal(keptSocket.socket.readyState, WebSocket.OPEN);
      });
    }
  });
}

async function fetchOnce({ url }: Instance, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/_/_/data/now`, { headers });
  return response.status === 200 ? "open" : `${response.status}`;
}
