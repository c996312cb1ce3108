declare const statusAndBody: unique symbol;

/**
 * What `e.json` and its kind return. The request is answered by then; the value only carries, as a type, which status
 * was sent with which body, so that a handler's return type tells all of its answers.
 */
export interface Answer<Status extends number = number, Body = unknown> {
  readonly [statusAndBody]: { readonly status: Status; readonly body: Body };
}

export const answered = Object.freeze({}) as Answer<never, never>;
