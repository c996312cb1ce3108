import { batch, computed, effect, signal } from "@preact/signals";
import type {
  InitialData,
  LiveEvents,
  LiveSecond,
  SecondUpdate,
  Snapshot,
} from "../../../src/features/metrics/wire.ts";
import { get } from "../data/api.ts";
import { root } from "../data/root.ts";
import { isSignedOut } from "../data/session.ts";
import { isLive } from "./time-window.ts";
import { isVisible } from "./visibility.ts";

/**
 * Live metrics, second by second. All tabs of a browser share one stream: the tab that holds the lock reads it and
 * forwards events to the others. Without the Web Locks API, which browsers disable for plain HTTP on remote hosts, each
 * tab has its own stream.
 */

/** Two minutes, like the server's snapshot. */
const kept = 120;
/**
 * The server sends an event every second. A stream that is silent for this long is dead, even if the browser considers
 * it open.
 */
const silenceMs = 10_000;
/**
 * If a stream ends after more than this time, the page asks for the reason instead of waiting for the browser to retry.
 */
const settledMs = 5_000;
const path = `${root}/_/_/live`;
/** Other applications can have the same origin and another base path. */
const sharedName = `annex-live${root}`;

export type Connection = "connecting" | "open" | "lost";

export const connection = signal<Connection>("connecting");
/** Whether a live page has lost its connection. The shell shows this once for the whole page. */
export const isCutOff = computed(() => isLive.value && connection.value === "lost");
const initial = readInitialData();
export const snapshot = signal<Snapshot | undefined>(initial?.snapshot);
/** The last two minutes, newest last. */
export const seconds = signal<readonly LiveSecond[]>(initial?.snapshot.seconds ?? []);
/** Counts how often the connection was restored. */
export const reconnected = signal(0);
/** When the server was last seen to restart; undefined if it has not restarted since the page was opened. */
export const restartedAt = signal<number | undefined>(undefined);

/** The page contains the state at the time of its request, so that the first render is complete. */
function readInitialData(): InitialData | undefined {
  const { initial } = document.getElementById("app")?.dataset ?? {};
  return initial === undefined ? undefined : JSON.parse(initial);
}

/** An event of the stream, or a change of the connection, as tabs forward it to each other. */
type Message =
  | { readonly name: "snapshot"; readonly data: LiveEvents["snapshot"]; readonly epoch: string }
  | { readonly name: "second"; readonly data: LiveEvents["second"] }
  | { readonly name: "connection"; readonly data: Connection };

const channel = "BroadcastChannel" in window ? new BroadcastChannel(sharedName) : undefined;

/** Reads the stream while the page is live and visible. A paused page loads the current state once. */
export function followLive(): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<Message | "hello">) => {
    if (data !== "hello") apply(data);
    else if (isReading && snapshot.value && server) {
      const data = { ...snapshot.value, seconds: seconds.value };
      channel.postMessage({ name: "snapshot", data, epoch: server.epoch } satisfies Message);
    }
  });
  effect(() => {
    if (!isVisible.value || isSignedOut.value) return;
    const leaving = new AbortController();
    void (isLive.value ? readInTurn(leaving.signal) : readOnce(leaving.signal));
    return () => leaving.abort();
  });
}

let isReading = false;

async function readInTurn(leaving: AbortSignal): Promise<void> {
  if (!navigator.locks) return readStream(leaving);
  channel?.postMessage("hello");
  await navigator.locks
    .request(sharedName, { signal: leaving }, () => readStream(leaving))
    .catch(() => {
      // The page left before it got the lock.
    });
}

async function readOnce(leaving: AbortSignal): Promise<void> {
  const fresh = await get("/_/_/data/now", {}, leaving).catch(() => undefined);
  if (leaving.aborted) return;
  batch(() => {
    connection.value = fresh ? "open" : "lost";
    if (!fresh) return;
    snapshot.value = fresh;
    seconds.value = fresh.seconds;
  });
}

/** Resolves when the page leaves the stream. */
function readStream(leaving: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let openedAt = Number.POSITIVE_INFINITY;
    isReading = true;

    function open(): void {
      source = new EventSource(path);
      retryAfter(silenceMs);
      source.addEventListener("snapshot", (event) => {
        retryAfter(silenceMs);
        // Event IDs start with a prefix that is unique to each start of the server.
        const [epoch = ""] = event.lastEventId.split("-");
        publish({ name: "snapshot", data: JSON.parse(event.data), epoch });
      });
      source.addEventListener("second", (event) => {
        retryAfter(silenceMs);
        publish({ name: "second", data: JSON.parse(event.data) });
      });
      source.addEventListener("open", () => {
        openedAt = performance.now();
      });
      source.addEventListener("error", () => {
        publish({ name: "connection", data: "lost" });
        const hasLasted = performance.now() - openedAt > settledMs;
        openedAt = Number.POSITIVE_INFINITY;
        if (hasLasted) retryAfter(0);
        // A browser does not retry when the response is an error instead of a stream.
        else if (source?.readyState === EventSource.CLOSED) retryAfter(2_000);
      });
    }

    function retryAfter(milliseconds: number): void {
      clearTimeout(retry);
      retry = setTimeout(reopen, milliseconds);
    }

    async function reopen(): Promise<void> {
      source?.close();
      publish({ name: "connection", data: "lost" });
      const patience = AbortSignal.any([leaving, AbortSignal.timeout(silenceMs)]);
      const isBack = await get("/_/_/data/recent", { limit: 1 }, patience).then(
        () => true,
        () => false,
      );
      if (leaving.aborted) return;
      if (isBack) open();
      else retryAfter(2_000);
    }

    leaving.addEventListener("abort", () => {
      isReading = false;
      clearTimeout(retry);
      source?.close();
      resolve();
    });
    open();
  });
}

function publish(message: Message): void {
  apply(message);
  channel?.postMessage(message);
}

function apply(message: Message): void {
  batch(() => {
    if (message.name === "connection") connection.value = message.data;
    else if (message.name === "snapshot") begin(message.data, message.epoch);
    else addSecond(message.data);
  });
}

let server: { readonly instance: string; readonly epoch: string } | undefined = initial && {
  instance: initial.snapshot.instance,
  epoch: initial.epoch,
};

function begin(fresh: Snapshot, epoch: string): void {
  if (server && server.instance === fresh.instance && server.epoch !== epoch) {
    restartedAt.value = fresh.now - fresh.health.uptime_seconds * 1_000;
  }
  server = { instance: fresh.instance, epoch };
  if (connection.value === "lost") reconnected.value++;
  connection.value = "open";
  snapshot.value = fresh;
  seconds.value = fresh.seconds;
}

function addSecond(update: SecondUpdate): void {
  if (connection.value === "lost") reconnected.value++;
  connection.value = "open";
  const latest = seconds.value.at(-1);
  if (update.time <= (latest?.time ?? 0)) return;
  const system = Object.entries({ ...latest?.system, ...update.system }).filter(
    ([, value]) => value !== null,
  );
  const second = { ...update, system: Object.fromEntries(system) as LiveSecond["system"] };
  seconds.value = [...seconds.value.slice(1 - kept), second];
}
