/**
 * Sends all requests to an application of a framework, and to the same application with Annex. Prints what differs:
 * `node program.ts <framework>`. It is a process of its own, because the applications cause uncaught errors.
 */
import { isDeepStrictEqual } from "node:util";
import { createSmallAnnex } from "../hosts/attached.ts";
import type { ComparedKind } from "./application.ts";
import { exchange, type Outcome, Sightings, watchConnections } from "./exchange.ts";
import { kinds } from "./kinds.ts";
import { addSocketServer } from "./libraries.ts";
import { listScenarios } from "./scenarios.ts";

/** What is printed for each setup, as one line. */
export interface Comparison {
  /** The number of requests that were sent to each of the two applications. */
  readonly requests: number;
  readonly differences: readonly { name: string; bare: Outcome; attached: Outcome }[];
  /** The requests whose response had no trace ID, although the application responded. */
  readonly untraced: readonly string[];
}

// Stacks contain the functions of Annex.
Error.stackTraceLimit = 0;
delete process.env.NODE_ENV;
const sightings = new Sightings();
const cleanups: (() => unknown)[] = [];
const t = { after: (cleanup: () => unknown) => void cleanups.unshift(cleanup) };

async function start({ create, needsServer }: ComparedKind, isFull: boolean, isAttached: boolean) {
  const application = await create({ isFull, note: sightings.note });
  const { target, server } = application;
  const sockets = isFull ? addSocketServer(server) : undefined;
  t.after(() => application.close());
  t.after(() => sockets?.engine.close());
  if (isAttached) {
    const { annex } = createSmallAnnex(t);
    await annex.attach(target, needsServer ? { server } : {});
  }
  await application.listen();
  // A busy machine may need long between two requests.
  server.keepAliveTimeout = 0;
  return watchConnections(server);
}

const traceLine = /^x-trace-id: [A-Za-z0-9]{18}\r\n/gim;

/** Without what differs in every response. */
function normalize(outcome: Outcome): Outcome {
  if (outcome.received === undefined) return outcome;
  const received = outcome.received.replace(/^Date: .*\r\n/gim, "Date: …\r\n").replace(traceLine, "");
  return { ...outcome, received };
}

/** Heads that Node and Fastify send for invalid requests, or Node for an expectation, before any listener. */
const ownHead =
  /HTTP\/1\.1 (?:417 Expectation Failed|431 [\w ]+|400 Bad Request\r\n(?:Connection: close|Content-Length: 65))\r\n/g;

/** Whether the application has sent more heads than there are trace IDs. */
function isUntraced({ received = "" }: Outcome): boolean {
  const heads = received.replace(ownHead, "").match(/HTTP\/1\.1 [2-5]/g) ?? [];
  return heads.length !== (received.match(traceLine) ?? []).length;
}

async function collect(kind: ComparedKind, isFull: boolean, isAttached: boolean): Promise<Outcome[]> {
  const side = await start(kind, isFull, isAttached);
  const outcomes: Outcome[] = [];
  for (const scenario of listScenarios(isFull)) {
    // Without socket.io, Node leaves an upgraded connection open and reads nothing more from it.
    const isUpgraded = !isFull && scenario.request.includes("\r\nUpgrade: ");
    const staysOpen = isUpgraded || (kind.leavesOpen?.(scenario, isFull) ?? false);
    outcomes.push(await exchange(side, scenario, sightings, staysOpen));
  }
  return outcomes;
}

function compare(
  isFull: boolean,
  observesServer: boolean,
  bare: readonly Outcome[],
  attached: readonly Outcome[],
): Comparison {
  const differences: Comparison["differences"][number][] = [];
  const untraced: string[] = [];
  for (const [index, { name, request }] of listScenarios(isFull).entries()) {
    const pair = { bare: normalize(bare[index]!), attached: normalize(attached[index]!) };
    if (!isDeepStrictEqual(pair.bare, pair.attached)) differences.push({ name, ...pair });
    // If Annex is attached to the application and not to the server, it does not see those of socket.io.
    const isSeen = observesServer || !request.includes(" /socket.io/");
    if (isSeen && isUntraced(attached[index]!)) untraced.push(name);
  }
  return { requests: attached.length, differences, untraced };
}

const kind = await kinds[process.argv[2]!]!();
const setups = [
  { name: "defaults", isFull: false },
  { name: "libraries", isFull: true },
];
// Annex may affect the whole process, so it is attached only when the requests without it have ended.
const bare: Outcome[][] = [];
for (const { name, isFull } of setups) {
  bare.push(await collect(kind, isFull, false));
  process.stdout.write(`without Annex: ${name}\n`);
}
for (const [index, { name, isFull }] of setups.entries()) {
  const attached = await collect(kind, isFull, true);
  const comparison = compare(isFull, kind.observesServer ?? false, bare[index]!, attached);
  process.stdout.write(`${name} ${JSON.stringify(comparison)}\n`);
}
for (const cleanup of cleanups) await cleanup();
