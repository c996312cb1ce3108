import type { OutgoingHttpHeader, ServerResponse } from "node:http";
import { http } from "../../lib/node/http.ts";
import type { ObservedRequest } from "./observed-request.ts";
import { ObservedResponse, type ObservedResponseClass } from "./observed-response.ts";

const observedKey = Symbol("annex.observed");

type HostResponse = ServerResponse & { [observedKey]?: ObservedRequest };
type AnyMethod = (this: ServerResponse, ...args: unknown[]) => unknown;
type Method = "writeHead" | "write" | "end";

/** What is known about the request of a response that was created by another server. */
export function observedOf(response: ServerResponse): ObservedRequest | undefined {
  return (response as HostResponse)[observedKey];
}

/**
 * Reports a response of another server to its observed request. The class of the response cannot be used for this:
 * Express replaces the prototype of every response. So the functions are set on the response itself, and call those of
 * the prototype that it has by then.
 */
export function observeResponse(observed: ObservedRequest): void {
  const response = observed.response as HostResponse;
  response[observedKey] = observed;
  response.writeHead = writeHead as ServerResponse["writeHead"];
  response.write = write as ServerResponse["write"];
  response.end = end as ServerResponse["end"];
  const limit = response.getMaxListeners();
  // One more listener must not make Node warn of a leak.
  if (limit > 0) response.setMaxListeners(limit + 1);
  response.on("close", leave);
  // The client disconnected before the application passed the request on. It is not notified again.
  if (response.destroyed) process.nextTick(() => observed.leave());
}

/**
 * Goes on observing a response whose prototype a handler has replaced. Express does that, if a handler passes the request
 * to it.
 */
export function observeReplaced(response: ObservedResponse): void {
  const { observed } = response;
  if (observedOf(response) !== undefined) return;
  observeResponse(observed);
  if (!response.writableEnded) return;
  // It has responded already.
  observed.bytesSent = Number(response.getHeader("content-length") ?? 0);
  observed.settle(response.statusCode);
}

/** Restores the prototype of a response, so that Annex can respond. */
export function reclaimResponse(response: ObservedResponse): void {
  if (response instanceof ObservedResponse) return;
  const replaced: Partial<Record<Method, unknown>> = response;
  for (const method of ["writeHead", "write", "end"] as const) delete replaced[method];
  Object.setPrototypeOf(response, ObservedResponse.prototype);
}

/** Makes a response of another server one of Annex's own, so that Annex can respond. */
export function adoptResponse(Response: ObservedResponseClass, observed: ObservedRequest): ObservedResponse {
  const { response } = observed;
  Object.setPrototypeOf(response, Response.prototype);
  return Object.assign(response as ObservedResponse, { observed, addedHeaders: undefined });
}

/** The functions of the prototype. A response may be wrapped in another object, so `this` is not asked for it. */
function nodeFunctions({ response }: ObservedRequest): Record<Method, AnyMethod> {
  return Object.getPrototypeOf(response);
}

function writeHead(this: HostResponse, ...args: unknown[]): unknown {
  const observed = this[observedKey]!;
  // Otherwise, Node throws an error that belongs to the application.
  if (!this.headersSent) {
    try {
      addHeaders(this, observed, args);
      observed.beginResponse();
    } catch {
      // A value of the application cannot be read. Node finds it too, and throws the error that the application expects.
    }
  }
  return nodeFunctions(observed).writeHead.apply(this, args);
}

function write(this: HostResponse, ...args: unknown[]): unknown {
  const observed = this[observedKey]!;
  observed.count(args[0], args[1]);
  return nodeFunctions(observed).write.apply(this, args);
}

function end(this: HostResponse, ...args: unknown[]): unknown {
  const observed = this[observedKey]!;
  if (!observed.isSettled) observed.count(args[0], args[1]);
  // Then nothing is sent. The request ends when the response has closed.
  const { destroyed } = observed.response;
  const result = nodeFunctions(observed).end.apply(this, args);
  if (!destroyed) observed.settle(this.statusCode);
  return result;
}

function leave(this: HostResponse): void {
  this[observedKey]?.leave();
}

/**
 * Adds the headers of Annex to the arguments of `writeHead`, or to the headers that are already set. Arguments that Node
 * refuses stay as they are.
 */
function addHeaders(response: HostResponse, observed: ObservedRequest, args: unknown[]): void {
  // An earlier attempt may have failed.
  observed.writtenType = undefined;
  // As in Node: the second argument has the headers only without a third one.
  const given = args[2] ?? (typeof args[1] === "string" ? undefined : args[1]);
  if (given === undefined || given === null) {
    setHeaders(response, observed);
  } else if (Array.isArray(given)) {
    args[2] = addToList(given, response, observed);
  } else if (typeof given === "object") {
    args[2] = addToObject(given as Record<string, OutgoingHttpHeader>, observed);
  }
}

// The application may have replaced the functions of the response.
const { getHeaderNames, setHeader } = http.ServerResponse.prototype;

function setHeaders(response: HostResponse, { traceId, isDraining }: ObservedRequest): void {
  setHeader.call(response, "X-Trace-ID", traceId);
  if (isDraining) setHeader.call(response, "Connection", "close");
}

/** A copy, because the object belongs to the application, which may use it again. */
function addToObject(
  given: Record<string, OutgoingHttpHeader>,
  observed: ObservedRequest,
): Record<string, OutgoingHttpHeader> {
  const all: Record<string, OutgoingHttpHeader> = { ...given };
  for (const name in all) {
    if (name.length === 12 && name.toLowerCase() === "content-type") observed.writtenType = String(all[name]);
    else if (isReplaced(name, observed)) delete all[name];
  }
  all["X-Trace-ID"] = observed.traceId;
  if (observed.isDraining) all.Connection = "close";
  return all;
}

function addToList(
  given: readonly unknown[],
  response: HostResponse,
  observed: ObservedRequest,
): readonly unknown[] {
  const isPaired = Array.isArray(given[0]);
  const rest = isPaired ? keepPairs(given as unknown[][], observed) : keepItems(given, observed);
  // After `setHeader`, Node reads pairs as if the list were flat, so nothing can be added.
  if (getHeaderNames.call(response).length > 0) {
    setHeaders(response, observed);
    return rest;
  }
  const added = [["X-Trace-ID", observed.traceId]];
  if (observed.isDraining) added.push(["Connection", "close"]);
  if (isPaired) return [...rest, ...added];
  return given.length % 2 === 0 ? [...rest, ...added.flat()] : given;
}

function keepPairs(given: readonly unknown[][], observed: ObservedRequest): readonly unknown[] {
  return given.filter(([name, value]) => keepHeader(name, value, observed));
}

function keepItems(given: readonly unknown[], observed: ObservedRequest): readonly unknown[] {
  const kept: unknown[] = [];
  for (let index = 0; index < given.length; index += 2) {
    const pair = given.slice(index, index + 2);
    if (keepHeader(pair[0], pair[1], observed)) kept.push(...pair);
  }
  return kept;
}

/** Returns whether a header is sent as it is, and notes the content type. */
function keepHeader(name: unknown, value: unknown, observed: ObservedRequest): boolean {
  if (String(name).toLowerCase() === "content-type") observed.writtenType = String(value);
  return !isReplaced(String(name), observed);
}

function isReplaced(name: string, { isDraining }: ObservedRequest): boolean {
  if (name.length !== 10) return false;
  const lower = name.toLowerCase();
  return lower === "x-trace-id" || (lower === "connection" && isDraining);
}
