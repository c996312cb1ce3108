import { STATUS_CODES } from "node:http";
import { ApiError } from "../lib/errors.ts";
import { escapeControls } from "../lib/terminal-text.ts";
import { isError, readProperty, toText } from "../lib/thrown.ts";
import { INTERNAL } from "./errors.ts";
import type { ObservedResponse } from "./observer.ts";
import { html, pageHeaders } from "./page.ts";

/** The one shape of every error answer. */
export interface ErrorBody {
  status: number;
  message: string;
  data: object;
  trace_id: string;
}

export function errorBody({ status, message, data }: ApiError, traceId: string): ErrorBody {
  return { status, message, data, trace_id: traceId };
}

/** What can be answered: a request event, or a request that never became one. */
export interface Answerable {
  readonly response: ObservedResponse;
  readonly isAnswered: boolean;
}

/**
 * Turns whatever was thrown into an answer, if one is still possible. What the application did not mean to send is
 * reported with its cause and answered with nothing but a trace ID.
 */
export function answerError(request: Answerable, thrown: unknown, doing?: string): void {
  const { response, isAnswered: late } = request;
  const meant = toApiError(thrown);
  const expected = meant !== undefined && meant.status < 500;
  // Once the client has left, an error meant for it explains nothing.
  if (!expected || (late && !response.aborted)) {
    const message = doing ?? (late ? "A handler failed after the response was sent" : "A handler failed");
    report(response, thrown, message);
  }
  if (late) {
    if (!response.writableEnded) response.cut();
    return;
  }
  sendSafely(response, meant !== undefined && meant.code !== "NOT_ANSWERED" ? meant : INTERNAL());
}

/** The error meant for the client, if it is one. Looking at a thrown value may throw again. */
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

/** Reports a failure. A subscriber that fails must not keep the client from a response. */
function report(response: ObservedResponse, error: unknown, message: string): void {
  const { traceId, method, path, route } = response;
  try {
    response.observer.failed({ error, traceId, method, path, route, message });
  } catch (problem) {
    const reason = escapeControls(toText(isError(problem) ? readProperty(problem, "message") : problem));
    process.stderr.write(`annex: Failed to report an error of request ${traceId}: ${reason}\n`);
  }
}

function sendSafely(response: ObservedResponse, error: ApiError): void {
  try {
    sendError(response, error);
  } catch (unsendable) {
    // Data that JSON cannot express, or an invalid header.
    report(response, unsendable, "Failed to send an error response");
    sendPlain(response);
  }
}

/** Without anything of the application's; a response that has begun is broken off. */
function sendPlain(response: ObservedResponse): void {
  try {
    if (response.headersSent) response.cut();
    else sendError(response, INTERNAL());
  } catch (problem) {
    report(response, problem, "Failed to send an error response");
    response.cut();
  }
}

/**
 * What the handler had said of the answer it meant to give is not true of this one. What belongs to the connection
 * between the two sites, such as CORS, a policy or a cookie, stays.
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

function sendError(response: ObservedResponse, error: ApiError): void {
  const body = errorBody(error, response.traceId);
  response.errorCode = error.code;
  const isPage = response.req.headers.accept?.includes("text/html") === true;
  const text = isPage ? errorPage(body) : JSON.stringify(body);
  for (const name of contentHeaders) response.removeHeader(name);
  response.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries({ ...(isPage && pageHeaders), ...error.headers })) {
    response.setHeader(name, value);
  }
  const type = isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
  response.answer(error.status, type, text);
}

function errorPage({ status, message, trace_id }: ErrorBody): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>${status} ${STATUS_CODES[status] ?? "Error"}</title>
<link rel="stylesheet" href="/_/assets/pages.css">
</head>
<body>
<main class="card">
<h1><span class="code">${status}</span> ${STATUS_CODES[status] ?? "Error"}</h1>
<p>${message}</p>
<p class="quiet">Trace ID <code>${trace_id}</code></p>
</main>
</body>
</html>
`.toString();
}
