import type { TestContext } from "node:test";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { Host } from "../host.ts";
import {
  type FailedRequest,
  type FinishedRequest,
  type InjectRequest,
  type InjectResponse,
  Listener,
  type ListenerLimits,
  listenerLimits,
  parseTrustedProxies,
  type RootRouter,
} from "../index.ts";
import { Record } from "./record.ts";

/** A copy of a finished request, because the original must not be stored. */
export interface Fact
  extends Pick<
    FinishedRequest,
    "traceId" | "traceparent" | "method" | "path" | "statusCode" | "contentLength" | "bytesSent" | "aborted"
  > {
  readonly route: string | undefined;
  readonly durationMs: number;
  readonly ip: string;
  readonly userAgent: string;
}

export interface TestListener {
  readonly listener: Listener;
  readonly facts: Record<Fact>;
  readonly failures: Record<FailedRequest>;
  inject(request: string | InjectRequest): Promise<InjectResponse>;
  /** Opens a port on the loopback interface. */
  listen(host?: string): Promise<number>;
}

export interface TestListenerOptions {
  limits?: Partial<ListenerLimits>;
  trusted?: string[];
  app?: Host;
  clock?: AlarmClock;
  isSecure?: boolean;
}

/** A listener with the routes from `register`. It is closed when the test ends. */
export async function createListener(
  t: TestContext,
  register: (router: RootRouter, listener: Listener) => void = () => {},
  { limits, trusted = [], app = {} as Host, clock, isSecure = false }: TestListenerOptions = {},
): Promise<TestListener> {
  const listener = new Listener({
    app,
    limits: { ...listenerLimits, ...limits },
    trust: parseTrustedProxies(trusted),
    ...(clock && { clock }),
    isSecure,
  });
  const facts = new Record<Fact>();
  const failures = new Record<FailedRequest>();
  listener.observer.onFinished((request) => facts.add(copyFact(request)));
  listener.observer.onFailed((failure) => failures.add(failure));
  register(listener.routes.router("the application"), listener);
  await listener.ready();
  t.after(() => listener.close(0));
  return {
    listener,
    facts,
    failures,
    inject: (request) => listener.inject(typeof request === "string" ? { url: request } : request),
    listen: async (host = "127.0.0.1") => (await listener.listen(host, 0)).port,
  };
}

function copyFact(request: FinishedRequest): Fact {
  const { traceId, traceparent, method, path, statusCode, contentLength, bytesSent, aborted } = request;
  return {
    traceId,
    traceparent,
    method,
    path,
    statusCode,
    contentLength,
    bytesSent,
    aborted,
    route: request.route?.pattern.text,
    durationMs: request.durationMs,
    ip: request.client.ip,
    userAgent: request.client.userAgent,
  };
}
