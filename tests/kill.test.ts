import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, startSource } from "./support/program.ts";

/**
 * A program that is killed under load, several times on one data folder. What it had acknowledged must be there, and of
 * its log records all but those of the last second. On a machine that has no time for us a second is not a second, so
 * the time for which this process or its requests stood still is added to it.
 */
const creation = `
  const app = annex.createApp({
    port: 0,
    migrations: {
      "001-notes": { up: (db, types) => db.schema.createTable("notes").addColumn("id", types.text, (c) => c.primaryKey()).execute() },
    },
  });
  const notes = async () => (await app.database()).tables();
  const search = (cursor) => app.logs.search({ limit: 1000, text: "/notes/", ...(cursor && { cursor }) });
`;

const ownServer = `
  ${creation}
  app.onServe(({ router }) => {
    router.post("/notes/{id}", async (e) => {
      await (await notes()).insertInto("notes").values({ id: e.pathValue("id") }).execute();
      return e.noContent();
    });
    router.get("/notes", async (e) => e.json(200, await (await notes()).selectFrom("notes").select("id").execute()));
    router.get("/logs", async (e) => e.json(200, await search(e.query("cursor"))));
  });
  const { url } = await app.start();
  process.stderr.write("up at " + url + "\\n");
`;

const express = `
  import express from "express";
  ${creation}
  const host = express();
  host.post("/notes/:id", async (request, response) => {
    await (await notes()).insertInto("notes").values({ id: request.params.id }).execute();
    response.sendStatus(204);
  });
  host.get("/notes", async (_request, response) => response.json(await (await notes()).selectFrom("notes").select("id").execute()));
  host.get("/logs", async (request, response) => response.json(await search(request.query.cursor)));
  await app.attach(host);
  const server = host.listen(0, () => process.stderr.write("up at http://localhost:" + server.address().port + "\\n"));
`;

const fastify = `
  import { fastify } from "fastify";
  ${creation}
  const host = fastify();
  host.post("/notes/:id", async (request, reply) => {
    await (await notes()).insertInto("notes").values({ id: request.params.id }).execute();
    return reply.code(204).send();
  });
  host.get("/notes", async () => (await notes()).selectFrom("notes").select("id").execute());
  host.get("/logs", (request) => search(request.query.cursor));
  await app.attach(host);
  process.stderr.write("up at " + (await host.listen({ port: 0 })) + "\\n");
`;

const programs = [
  { name: "a server", application: ownServer, rounds: 10 },
  { name: "Express with Annex attached", application: express, rounds: 2 },
  { name: "Fastify with Annex attached", application: fastify, rounds: 2 },
];
const loadMs = 1_500;
/** Between two requests of a connection. More requests would prove no more, and take the processor from other tests. */
const pauseMs = 10;
const mayLoseMs = 1_000;
/** So many requests must be old enough for their records to be kept, or the round would prove nothing. */
const enough = 20;

interface Acknowledged {
  id: string;
  traceId: string;
  at: number;
}

/** Writes notes one after the other on a few connections until the server is gone; tells what it acknowledged. */
async function load(url: string, round: number, acknowledged: Acknowledged[]): Promise<void> {
  const writer = async (name: number) => {
    for (let count = 0; ; count++) {
      const id = `${round}-${name}-${count}`;
      const response = await fetch(`${url}/notes/${id}`, { method: "POST" }).catch(() => undefined);
      if (response === undefined) return;
      acknowledged.push({ id, traceId: response.headers.get("x-trace-id")!, at: Date.now() });
      await delay(pauseMs);
    }
  };
  await Promise.all([1, 2, 3, 4].map(writer));
}

/** Ticks all the time, and sums up for how long it did not get its turn. */
function watchStandstill(): { readonly totalMs: number; end(): void } {
  const tickMs = 20;
  let last = performance.now();
  let total = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    total += Math.max(0, now - last - 2 * tickMs);
    last = now;
  }, tickMs);
  return {
    /** With the one in progress. */
    get totalMs() {
      return total + Math.max(0, performance.now() - last - 2 * tickMs);
    },
    end: () => clearInterval(timer),
  };
}

/** The longest time in which nothing was acknowledged. */
function longestPause(acknowledged: readonly Acknowledged[]): number {
  const gaps = acknowledged.slice(1).map(({ at }, index) => at - acknowledged[index]!.at);
  return Math.max(0, ...gaps);
}

async function readTraces(url: string, round: number): Promise<Set<string>> {
  const traces = new Set<string>();
  let cursor: string | undefined;
  do {
    const response = await fetch(`${url}/logs?${new URLSearchParams(cursor ? { cursor } : {})}`);
    const page = (await response.json()) as { items: { trace_id: string; path: string }[]; cursor?: string };
    for (const { trace_id } of page.items) traces.add(trace_id);
    cursor = page.items.some(({ path }) => path.startsWith(`/notes/${round}-`)) ? page.cursor : undefined;
  } while (cursor !== undefined);
  return traces;
}

describe("killed under load, nothing committed is lost, and at most the last second of log records", () => {
  for (const { name, application, rounds } of programs)
    it(`${name}, ${rounds} times`, async (t) => {
      const env = { SVC_DATA_DIR: createFolder(t) };
      const acknowledged: Acknowledged[] = [];
      let program = startSource(t, application, { env });
      for (let round = 1; round <= rounds; round++) {
        const [, url] = await program.says(/up at (http:\S+)/);
        const before = acknowledged.length;
        const standstill = watchStandstill();
        const loading = load(url!, round, acknowledged);
        /** Those whose records must have been written by then. */
        const oldAt = (time: number) => {
          const ofRound = acknowledged.slice(before);
          const mayLose = mayLoseMs + standstill.totalMs + longestPause(ofRound);
          return ofRound.filter(({ at }) => at < time - mayLose);
        };
        await new Promise((resolve) => setTimeout(resolve, loadMs));
        // Fewer would prove nothing.
        await until("enough records are old", () => oldAt(Date.now()).length > enough);
        const old = oldAt(Date.now());
        program.child.kill("SIGKILL");
        await Promise.all([program.ended, loading]);
        standstill.end();

        program = startSource(t, application, { env });
        const [, nextUrl] = await program.says(/up at (http:\S+)/);
        const notes = new Set(
          ((await (await fetch(`${nextUrl}/notes`)).json()) as { id: string }[]).map(({ id }) => id),
        );
        const lost = acknowledged.filter(({ id }) => !notes.has(id));
        assert.deepEqual(lost, [], `round ${round}`);

        const traces = await readTraces(nextUrl!, round);
        assert.deepEqual(
          old.filter(({ traceId }) => !traces.has(traceId)),
          [],
          `records of round ${round}`,
        );
      }
    });
});
