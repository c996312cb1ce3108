import type { ServerResponse } from "node:http";

declare const statusAndBody: unique symbol;

/**
 * The return value of `e.json` and the other response methods. The response has already been sent. The type contains
 * its status and body, so that the return type of a handler describes all its responses.
 */
export interface SentResponse<Status extends number = number, Body = unknown> {
  readonly [statusAndBody]: { readonly status: Status; readonly body: Body };
}

/**
 * The result `R` of a handler, if it is nothing, a `SentResponse` or Node's response. Other values are mistakes: a
 * returned object is not sent, and `bind(requireAuth)` without a call protects nothing. A result of type `unknown` is
 * accepted, because it may be a response.
 */
export type HandlerResult<R> =
  unknown extends Awaited<R>
    ? unknown
    : // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
      Awaited<R> extends void | SentResponse | ServerResponse
      ? unknown
      : UnsentResult;

/** No value has this type. Compilers show the name of its property. */
interface UnsentResult {
  "Return the value of a response method such as e.json(200, data), or nothing. Call functions that create middleware.": never;
}

export const alreadySent = Object.freeze({}) as SentResponse<never, never>;
