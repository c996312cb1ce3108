import { readErrorChain } from "../../lib/errors/error-chain.ts";
import { findOwnLocations } from "../../lib/errors/own-frame.ts";
import type { ErrorText } from "../../lib/redaction/error-text.ts";
import type { Redactor } from "../../lib/redaction/redactor.ts";
import { showLocation } from "../../lib/source/source-location.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";

/** An error, for the developer. */
export interface DebuggedError {
  /** Its type and message. */
  error: string;
  /** The innermost location in the application's code: `src/todos.ts:12`. */
  at?: string;
}

/** The details of an error with status 500 and above that the developer receives in development. */
export interface ErrorDebug extends DebuggedError {
  /** The causes, nearest first. */
  causes: DebuggedError[];
}

/**
 * The details of an error, if the developer sent the request and the server is in development. Secrets are redacted as
 * in the log.
 */
export function debugError(thrown: unknown, response: ObservedResponse): ErrorDebug | undefined {
  const { debugRedactor } = response.observed.observer;
  if (debugRedactor === undefined || !isFromDeveloper(response)) return undefined;
  return describeError(thrown, debugRedactor);
}

function describeError(thrown: unknown, redactor: Redactor): ErrorDebug {
  const { causes, ...error } = readErrorChain(thrown, redactor);
  return { ...toDebugged(error), causes: causes.map(toDebugged) };
}

function toDebugged({ type, message, stack }: ErrorText): DebuggedError {
  const [location] = findOwnLocations(stack, message);
  return {
    error: type === "ApiError" ? message : `${type}: ${message}`,
    ...(location && { at: showLocation(location).replace(/:\d+$/, "") }),
  };
}

/**
 * Whether a program on this machine sent the request, directly and for itself. Tunnels and proxies also connect from
 * this machine: they add headers, the host or the page is another one, or they use HTTP/1.0, as nginx does by default. A
 * page of another site must not read the details either.
 */
function isFromDeveloper({ observed, req }: ObservedResponse): boolean {
  return (
    isLoopback.test(observed.peerAddress) &&
    req.httpVersion === "1.1" &&
    isLocalHost.test(observed.requestHeader("host") ?? "") &&
    observed.requestHeader("sec-fetch-site") !== "cross-site" &&
    isLocalPage(observed.requestHeader("origin")) &&
    isLocalPage(observed.requestHeader("referer")) &&
    !observed.rawHeaders.some((name, index) => index % 2 === 0 && isOfProxy.test(name))
  );
}

/** A request of a page has its URL or origin. Other programs send none. */
function isLocalPage(url: string | undefined): boolean {
  return url === undefined || isLocalHost.test(URL.parse(url)?.host ?? "");
}

const isLoopback = /^(127\.\d+\.\d+\.\d+|::1)$/;
const isLocalHost = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const isOfProxy = /^(forwarded|x-forwarded-.*|x-real-ip|x-original-.*|via|true-client-ip|cf-.*)$/i;
