declare const statusAndBody: unique symbol;

/**
 * The return value of `e.json` and the other response methods. The response has already been sent. The type contains
 * its status and body, so that the return type of a handler describes all its responses.
 */
export interface SentResponse<Status extends number = number, Body = unknown> {
  readonly [statusAndBody]: { readonly status: Status; readonly body: Body };
}

export const alreadySent = Object.freeze({}) as SentResponse<never, never>;
