import { STATUS_CODES } from "node:http";
import { ApiError } from "../lib/errors.ts";
import { INTERNAL } from "./errors.ts";
import type { RequestEvent } from "./event.ts";
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

/**
 * Turns whatever was thrown into an answer, if one is still possible. What the application did not mean to send is
 * reported with its cause and answered with nothing but a trace ID.
 */
export function answerError(e: RequestEvent, thrown: unknown, doing?: string): void {
  const expected = thrown instanceof ApiError && thrown.status < 500;
  const { traceId, method, path, response } = e;
  const late = e.isAnswered;
  // Once the client has left, an error meant for it is of no interest to anybody.
  if (!expected || (late && !response.aborted)) {
    const message = doing ?? (late ? "A handler failed after it had answered" : "A handler failed");
    response.observer.failed({ error: thrown, traceId, method, path, message });
  }
  if (late) {
    if (!response.writableEnded) response.cut();
    return;
  }
  const error = thrown instanceof ApiError && thrown.code !== "NOT_ANSWERED" ? thrown : INTERNAL();
  try {
    sendError(e, error);
  } catch (unsendable) {
    // Data that cannot be written as JSON, or a header that is none.
    response.observer.failed({
      error: unsendable,
      traceId,
      method,
      path,
      message: "An error could not be sent",
    });
    if (!response.headersSent) sendError(e, INTERNAL());
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

function sendError(e: RequestEvent, error: ApiError): void {
  const body = errorBody(error, e.traceId);
  const page = wantsPage(e) ? errorPage(body) : undefined;
  const text = page ?? JSON.stringify(body);
  for (const name of contentHeaders) e.response.removeHeader(name);
  e.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries({ ...(page && pageHeaders), ...error.headers }))
    e.setHeader(name, value);
  e.response.answer(
    error.status,
    page ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    text,
  );
}

function wantsPage(e: RequestEvent): boolean {
  const accept = e.request.headers.accept;
  return accept?.includes("text/html") === true;
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
