import type { OutgoingHttpHeader, ServerResponse } from "node:http";
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
  // Node throws an error here that belongs to the application.
  if (!this.headersSent) addHeaders(this, observed, args);
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
  const result = nodeFunctions(observed).end.apply(this, args);
  observed.settle(this.statusCode);
  return result;
}

function leave(this: HostResponse): void {
  this[observedKey]?.leave();
}

/** Adds the headers of Annex to the arguments of `writeHead`, or to the headers that are already set. */
function addHeaders(response: HostResponse, observed: ObservedRequest, args: unknown[]): void {
  // An earlier attempt may have failed.
  observed.writtenType = undefined;
  // As in Node: the second argument has the headers only if there is no third one.
  const given = args[2] ?? (typeof args[1] === "string" ? undefined : args[1]);
  if (given === undefined || given === null) {
    response.setHeader("X-Trace-ID", observed.traceId);
    if (observed.isDraining) response.setHeader("Connection", "close");
  } else if (Array.isArray(given)) {
    args[2] = addToList(given, observed);
  } else {
    args[2] = addToObject(given as Record<string, OutgoingHttpHeader>, observed);
  }
  observed.beginResponse();
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

function addToList(given: readonly unknown[], observed: ObservedRequest): unknown[] {
  const isPaired = Array.isArray(given[0]);
  const flat = isPaired ? given.flat(1) : given;
  // Node throws an error here that belongs to the application.
  if (flat.length % 2 !== 0) return [...given];
  const all: unknown[] = [];
  for (let index = 0; index < flat.length; index += 2) {
    const name = String(flat[index]);
    if (name.toLowerCase() === "content-type") observed.writtenType = String(flat[index + 1]);
    if (!isReplaced(name, observed)) all.push(flat[index], flat[index + 1]);
  }
  all.push("X-Trace-ID", observed.traceId);
  if (observed.isDraining) all.push("Connection", "close");
  if (!isPaired) return all;
  return Array.from({ length: all.length / 2 }, (_, index) => all.slice(2 * index, 2 * index + 2));
}

function isReplaced(name: string, { isDraining }: ObservedRequest): boolean {
  if (name.length !== 10) return false;
  const lower = name.toLowerCase();
  return lower === "x-trace-id" || (lower === "connection" && isDraining);
}
