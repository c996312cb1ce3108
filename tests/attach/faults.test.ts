import assert from "node:assert/strict";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";
import express from "express";
import { defineFeature, type SharedContext } from "../../src/feature/index.ts";
import { Wire } from "../../src/http/testing/wire.ts";
import type { App } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createAnnex, featuresWithoutThread, type Records } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";
import { responseCases } from "./hosts/response-cases.ts";

/** What the application has seen, by the path of the request. */
type Seen = Map<string, unknown[]>;

/** A server that responds as the case says whose number is its path. */
function createCases(): { server: Server; seen: Seen } {
  const cases = [...responseCases.values()];
  const seen: Seen = new Map();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const notes: unknown[] = [];
    seen.set(request.url!, notes);
    const note = (...noted: unknown[]) => void notes.push(noted);
    const { respond } = cases[Number(request.url!.slice(1))]!;
    try {
      respond(response, note, request);
    } catch (error) {
      notes.push(["thrown", String(error)]);
      response.destroy();
    }
  });
  return { server, seen };
}

/** The application or the client ended the connection before the response was complete. */
const incomplete = /^destroyed|^the connection|^headers of a content length/;
/** Annex is not called, or there is no place for the header. */
const untraced = /^functions of the prototype|^writeHead with text as headers/;

/** The bytes of a response, without the headers that always differ. */
function normalize(bytes: string): string {
  return bytes.replace(/^Date: .*\r\n/gm, "Date: …\r\n").replace(/^x-trace-id: .*\r\n/gim, "");
}

describe("a response on the server of the application is the same with Annex, to the byte", () => {
  const plain = createCases();
  const attached = createCases();
  const cleanups: (() => unknown)[] = [];
  let records: Records;
  before(async () => {
    const t = { after: (cleanup: () => unknown) => void cleanups.unshift(cleanup) };
    const created = createAnnex(t as never);
    records = created.records;
    await created.annex.attach(attached.server);
    for (const { server } of [plain, attached]) {
      await listening(server.listen(0));
      cleanups.unshift(() => closed(server));
    }
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  for (const [index, [name, { method = "GET", headers = [] }]] of [...responseCases].entries()) {
    it(name, async (t: TestContext) => {
      const path = `/${index}`;
      const read = async ({ server, seen }: typeof plain) => {
        const wire = await Wire.connect(t, portOf(server));
        wire.request([`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers]);
        return { bytes: await wire.rest(), seen: seen.get(path) };
      };
      const expected = await read(plain);
      const actual = await read(attached);
      assert.deepEqual(actual.seen, expected.seen);
      assert.equal(normalize(actual.bytes), normalize(expected.bytes));
      const record = await records.request(path);
      const status = /^HTTP\/1\.1 (?!1)(\d+) (?!Raw)/m.exec(actual.bytes)?.[1];
      const isComplete = status !== undefined && !incomplete.test(name);
      assert.equal(record.status, isComplete ? Number(status) : 499);
      if (isComplete && !untraced.test(name))
        assert.deepEqual(
          actual.bytes.match(/^x-trace-id: .*$/gim)?.map((line) => line.trim()),
          [`X-Trace-ID: ${record.traceId}`],
        );
    });
  }
});

describe("a failure within Annex does not reach the application", () => {
  it("if a feature fails with every request", async (t: TestContext) => {
    // A warning is all that is left to report it with.
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", onWarning);
    t.after(() => process.off("warning", onWarning));
    const refuse = () => {
      throw new Error("refused by a feature");
    };
    const failing = defineFeature({
      name: "failing",
      options: [],
      create({ events }) {
        events.on("request.finished", refuse);
        events.on("request.failed", refuse);
        return {};
      },
    });
    const { annex, records } = createAnnex(t, {}, [...featuresWithoutThread, failing]);
    const app = express();
    app.get("/", (_request, response) => void response.send("fine"));
    app.get("/refused", (_request, response) => void response.status(401).send("no"));
    app.get("/failed", (request, response) => {
      annex.reportError(new Error("reported"), request);
      response.status(500).send("failed");
    });
    app.get("/pattern", (request, response) => {
      Object.defineProperty(request, "route", { get: refuse });
      response.send("fine");
    });
    const url = await listen(t, annex, app);
    const responses: [string, number, string][] = [
      ["/", 200, "fine"],
      ["/refused", 401, "no"],
      ["/failed", 500, "failed"],
      ["/pattern", 200, "fine"],
    ];
    for (const [path, status, body] of responses) {
      const response = await fetch(url + path, { headers: { "x-forwarded-for": "10.0.0.1" } });
      assert.deepEqual([response.status, await response.text()], [status, body]);
      assert.equal((await records.request(path)).status, status);
    }
    await until("the failures are warnings", () => warnings.length >= responses.length);
  });

  it("if requests come without a server and a connection", async (t: TestContext) => {
    const { annex, records } = createAnnex(t);
    const app = express();
    app.get("/hello", (_request, response) => void response.send("hello"));
    await annex.attach(app);
    // As adapters for serverless platforms do.
    for (const socket of [{ readable: false }, undefined]) {
      const request = new IncomingMessage(socket as Socket);
      Object.assign(request, { method: "GET", url: "/hello", complete: true });
      const response = new ServerResponse(request);
      app(request as never, response as never);
      await until("the response ends", () => response.writableEnded);
      assert.equal(response.statusCode, 200);
    }
    assert.deepEqual(records.requests, [], "they are not observed");
  });
});

describe("requests leave nothing behind", () => {
  const total = 20_000;
  const perConnection = 100;

  it(`${total} requests with pipelining, kept connections and aborts`, async (t: TestContext) => {
    let server!: SharedContext["server"];
    const probe = defineFeature({
      name: "probe",
      options: [],
      create(context) {
        server = context.server;
        return {};
      },
    });
    const { annex, records } = createAnnex(t, { logLevel: "error" }, [...featuresWithoutThread, probe]);
    const app = createServer((request, response) => {
      if (request.url === "/endless") return;
      if (request.url === "/cut") request.socket.destroy();
      else response.end("fine");
    });
    const url = await listen(t, annex, app);
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const kinds = [
      get("/fine").repeat(perConnection),
      get("/fine").repeat(perConnection - 1) + get("/cut"),
      // The client goes while the last response is awaited, or while further ones wait for it.
      get("/fine").repeat(perConnection - 1) + get("/endless"),
      get("/fine").repeat(perConnection - 10) + get("/endless") + get("/fine").repeat(9),
    ];
    for (let sent = 0; sent < total; ) {
      const wires = await Promise.all(kinds.map(() => Wire.connect(t, Number(new URL(url).port))));
      sent += kinds.length * perConnection;
      for (const [index, wire] of wires.entries()) wire.send(kinds[index]!);
      await until(
        "all requests have arrived",
        () => records.requests.length + server.requestsInFlight(),
        (count) => count >= sent,
      );
      for (const { socket } of wires) socket.destroy();
    }
    await until("no request is left", () => server.requestsInFlight() === 0 && server.connections() === 0);
    assert.equal(records.requests.length, total);
    assert.equal(server.openRequests().count, 0);
  });
});

async function listen(t: TestContext, annex: App, app: Server | express.Express): Promise<string> {
  await annex.attach(app);
  const server = await listening(app.listen(0));
  t.after(() => closed(server));
  return `http://127.0.0.1:${portOf(server)}`;
}
