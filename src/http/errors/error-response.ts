import { ApiError } from "../../lib/errors/errors.ts";
import { http } from "../../lib/node/http.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { isError, readProperty, toText } from "../../lib/thrown.ts";
import { reclaimResponse } from "../observation/host-response.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { type DebuggedError, debugError, type ErrorDebug } from "./error-debug.ts";
import { INTERNAL } from "./errors.ts";
import { asksForPage, type Html, html, pageHeaders, withBasePath } from "./page.ts";

/** The body of every error response. */
export interface ErrorBody {
  /** The HTTP status. */
  status: number;
  /** A description for people. */
  message: string;
  /** Details, such as invalid fields. */
  data: object;
  /** The trace ID of the request. */
  trace_id: string;
  /** The cause of an error with status 500 and above. Only in development, and only for requests from the same machine. */
  debug?: ErrorDebug;
}

export function errorBody({ status, message, data }: ApiError, traceId: string): ErrorBody {
  return { status, message, data, trace_id: traceId };
}

/** A request event, or a request that failed before its event was created. */
export interface FailedExchange {
  readonly response: ObservedResponse;
  readonly hasResponded: boolean;
  /** Whether the response has been given as a whole, although it has not been sent yet. */
  readonly isComplete?: boolean;
  /** The error for the client if a validator that the application called rejected the request. */
  toInputError?(thrown: unknown): ApiError | undefined;
}

/**
 * Converts a thrown value to an error response, if none has been sent. Unexpected errors are reported with their cause,
 * and the client receives only a trace ID.
 */
export function respondWithError(request: FailedExchange, thrown: unknown, doing?: string): void {
  const { response, hasResponded: late } = request;
  reclaimResponse(response);
  const meant = toApiError(thrown) ?? request.toInputError?.(thrown);
  const expected = meant !== undefined && meant.status < 500;
  // Expected errors are not reported after the client has disconnected.
  if (!expected || (late && !response.observed.aborted)) {
    const message =
      doing ?? (late ? "Failed to handle request after the response was sent" : "Failed to handle request");
    report(response, thrown, message);
  }
  if (late) {
    if (!response.writableEnded && !request.isComplete) response.cut();
    return;
  }
  sendSafely(response, meant && !unsent.has(meant.code) ? meant : INTERNAL(), thrown);
}

/** Errors of the program: their messages are for the log. */
const unsent = new Set<string | undefined>(["RESPONSE_MISSING", "NEXT_NOT_AWAITED"]);

/** Returns the thrown value if it is an error for the client. Inspecting a thrown value may throw. */
function toApiError(thrown: unknown): ApiError | undefined {
  try {
    if (!(thrown instanceof ApiError)) return undefined;
    const { status, code } = thrown;
    const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
    return isStatus && (code === undefined || typeof code === "string") ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/** Reports a failure. The client gets a response even if a subscriber fails. */
function report(response: ObservedResponse, error: unknown, message: string): void {
  const { observed } = response;
  try {
    observed.fail(error, message);
  } catch (problem) {
    const reason = escapeControls(toText(isError(problem) ? readProperty(problem, "message") : problem));
    process.stderr.write(`annex: Failed to report an error of request ${observed.traceId}: ${reason}\n`);
  }
}

function sendSafely(response: ObservedResponse, error: ApiError, thrown: unknown): void {
  try {
    sendError(response, error, thrown);
  } catch (unsendable) {
    // Data that JSON cannot express, or an invalid header.
    report(response, unsendable, "Failed to send an error response");
    sendPlain(response, unsendable);
  }
}

/** Sends an error without data from the application, or cuts a response that has begun. */
function sendPlain(response: ObservedResponse, thrown: unknown): void {
  try {
    if (response.headersSent) response.cut();
    else sendError(response, INTERNAL(), thrown);
  } catch (problem) {
    report(response, problem, "Failed to send an error response");
    response.cut();
  }
}

/**
 * Headers that describe the body that the handler intended to send. They are removed from an error response. Other
 * headers, such as CORS, policies and cookies, are preserved.
 */
const contentHeaders = [
  "accept-ranges",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-range",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "transfer-encoding",
];

function sendError(response: ObservedResponse, error: ApiError, thrown: unknown): void {
  const debug = error.status >= 500 ? debugError(thrown, response) : undefined;
  const body = { ...errorBody(error, response.observed.traceId), ...(debug && { debug }) };
  response.observed.errorCode = error.code;
  const isPage = asksForPage(response.req.headers.accept);
  const text = isPage
    ? withBasePath(errorPage(body), response.observed.observer.basePath)
    : JSON.stringify(body);
  for (const name of contentHeaders) response.removeHeader(name);
  response.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries({ ...(isPage && pageHeaders), ...error.headers })) {
    response.setHeader(name, value);
  }
  const type = isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
  response.respond(error.status, type, text);
}

function errorPage({ status, message, trace_id, debug }: ErrorBody): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>${status} ${http.STATUS_CODES[status] ?? "Error"}</title>
<link rel="stylesheet" href="/_/assets/pages.css">
</head>
<body>
<main class="card">
<h1><span class="code">${status}</span> ${http.STATUS_CODES[status] ?? "Error"}</h1>
<p>${message}</p>
<p class="quiet">Trace ID <code>${trace_id}</code></p>
${debug && debugBlock(debug)}</main>
</body>
</html>
`;
}

function debugBlock({ causes, ...error }: ErrorDebug): Html {
  return html`<section class="debug" aria-label="Details for the developer">
<p class="quiet">Shown only in development, and only on this machine:</p>
${errorLine(error)}
${causes.map(
  (cause) => html`<p class="quiet">Caused by</p>
${errorLine(cause)}
`,
)}</section>
`;
}

function errorLine({ error, at }: DebuggedError): Html {
  return html`<p class="notice bad">${error}</p>
${at && html`<p>at <code>${at}</code></p>`}`;
}
