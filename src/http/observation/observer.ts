import type { Redactor } from "../../lib/redaction/redactor.ts";
import type { ProxyTrust } from "../client-address.ts";
import { isExcludedPath } from "../excluded-paths.ts";
import type {
  FailedRequest,
  FinishedRequest,
  RefusedRequest,
  UntrustedForwarding,
} from "./finished-request.ts";

/**
 * Observation of every request, at the level of node:http.
 *
 * Each request has an `ObservedRequest`, which records the trace ID and the start time. It is published when the
 * response ends or the client disconnects. Two kinds of responses report to it: `ObservedResponse`, a class, on the
 * server of Annex; and `observeResponse`, which sets three functions on a response, on the server of an application.
 * Framework hooks would cost several times as much, and would miss requests that the framework does not handle.
 */
export class RequestObserver {
  /** Number of requests in flight. */
  inFlight = 0;
  /** Called when a request arrives while none is in flight, before it is handled. */
  onBusy: () => void = () => {};
  /** If true, every response has `Connection: close`. */
  draining = false;
  readonly trust: ProxyTrust | undefined;
  /** In development: redacts the details of errors for the developer. Without it, they are not sent. */
  debugRedactor: Redactor | undefined = undefined;
  /** The path before the paths of Annex, such as `/internal`. */
  readonly basePath: string;
  private readonly finishedSubscribers: ((request: FinishedRequest) => void)[] = [];
  private readonly refusedSubscribers: ((request: RefusedRequest) => void)[] = [];
  private readonly failedSubscribers: ((failure: FailedRequest) => void)[] = [];
  private readonly warnedSubscribers: ((failure: FailedRequest) => void)[] = [];
  private readonly untrustedSubscribers: ((forwarding: UntrustedForwarding) => void)[] = [];
  private readonly reportedPeers = new Set<string>();
  private idleWaiters: (() => void)[] = [];

  constructor(trust?: ProxyTrust, basePath = "") {
    this.trust = trust;
    this.basePath = basePath;
  }

  /** Calls back once for every request that is not excluded. The argument must not be stored. */
  onFinished(subscriber: (request: FinishedRequest) => void): void {
    this.finishedSubscribers.push(subscriber);
  }

  /** Calls back for every response with 401 or 403. */
  onRefused(subscriber: (request: RefusedRequest) => void): void {
    this.refusedSubscribers.push(subscriber);
  }

  /** Calls back for every unexpected error. */
  onFailed(subscriber: (failure: FailedRequest) => void): void {
    this.failedSubscribers.push(subscriber);
  }

  /** Calls back for errors that the application reported, but that are not errors of the server. */
  onWarned(subscriber: (failure: FailedRequest) => void): void {
    this.warnedSubscribers.push(subscriber);
  }

  /** Calls back for the first peers that send forwarded headers without being trusted; see `trustedProxies`. */
  onUntrustedForwarding(subscriber: (forwarding: UntrustedForwarding) => void): void {
    this.untrustedSubscribers.push(subscriber);
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  failed(failure: FailedRequest): void {
    notify(this.failedSubscribers, failure);
  }

  /** @internal */
  warned(failure: FailedRequest): void {
    notify(this.warnedSubscribers, failure);
  }

  /** @internal */
  untrustedForwarding(forwarding: UntrustedForwarding): void {
    const { reportedPeers } = this;
    if (reportedPeers.size >= maxReportedPeers || reportedPeers.has(forwarding.peer)) return;
    reportedPeers.add(forwarding.peer);
    notify(this.untrustedSubscribers, forwarding);
  }

  /** @internal */
  finished(request: RefusedRequest): void {
    this.inFlight--;
    if (this.inFlight === 0 && this.idleWaiters.length > 0) {
      for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
    if (isRefused(request.statusCode)) this.publish(this.refusedSubscribers, request);
    if (isExcludedPath(request.path) || isUncounted(request)) return;
    this.publish(this.finishedSubscribers, request);
  }

  private publish(
    subscribers: readonly ((request: RefusedRequest) => void)[],
    request: RefusedRequest,
  ): void {
    for (const subscriber of subscribers) {
      try {
        subscriber(request);
      } catch (error) {
        const { traceId, method, path, route } = request;
        const message = "Failed to notify a subscriber about a finished request";
        this.failed({ error, traceId, method, path, route, message });
      }
    }
  }
}

/**
 * Whether a request is one that the dashboard makes for itself. Changes are requests of a person. Requests that the server
 * refuses are counted, so that their trace IDs can be found and a scan is visible.
 */
function isUncounted({ method, route, statusCode, identity }: RefusedRequest): boolean {
  if (!route?.uncounted || !isReading(method)) return false;
  return isDelivered(statusCode) || (identity !== null && !isRefused(statusCode));
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether the client got what it requested, or did not wait for it. */
function isDelivered(statusCode: number): boolean {
  return statusCode < 300 || statusCode === 304 || statusCode === 499;
}

function isRefused(statusCode: number): boolean {
  return statusCode === 401 || statusCode === 403;
}

/** A subscriber that fails must not affect the request. */
function notify<T>(subscribers: readonly ((event: T) => void)[], event: T): void {
  for (const subscriber of subscribers) {
    try {
      subscriber(event);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** Enough for the proxies of one installation, and few enough that clients cannot fill the log. */
const maxReportedPeers = 5;
