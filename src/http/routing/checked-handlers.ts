import type { ServerResponse } from "node:http";
import type { RequestEvent } from "../event.ts";
import type { Handler, Middleware, MiddlewareHandler } from "../handler.ts";
import type { SentResponse } from "../sent-response.ts";

/**
 * What a handler may return. Other values are mistakes: a returned object is not sent, and `bind(requireAuth)` without a
 * call protects nothing.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void
type Result = void | SentResponse | ServerResponse;

/**
 * The handler or middleware `H` itself, or `Mistake` if a result of `H` would not be sent. A mistake is a text, which the
 * compiler shows in its error. In a union of handlers, it replaces only the wrong ones, so that the error shows which of
 * them it is.
 */
type Checked<H, Params extends string, Mistake> = [Acceptance<H, Params>] extends [never]
  ? WrongMembers<Inferred<H>, Params, Mistake> | IfUndecided<H, Params>
  : H;

/**
 * `"accepted"`, or `never` for a mistake. A result of type `unknown` is accepted, because it may be a response. The
 * members of a union are checked together, so that one mistake is enough.
 */
type Acceptance<H, Params extends string> = AcceptedResult<ResultOf<H, Params>>;
type AcceptedResult<R> = unknown extends R ? "accepted" : [R] extends [Result] ? "accepted" : never;

type ResultOf<H, Params extends string> = H extends (e: RequestEvent<Params>) => infer R
  ? Awaited<R>
  : H extends MiddlewareHandler<Params>
    ? undefined
    : "not middleware";

type WrongMembers<H, Params extends string, Mistake> = H extends unknown
  ? [Acceptance<H, Params>] extends [never]
    ? Mistake
    : H
  : never;

/** `H`, in a form from which the compiler does not infer `H`: there, it would take one member of a union for the whole. */
type Inferred<H> = [H][H extends unknown ? 0 : never];

/**
 * `H` inside of a generic function, where the result is a type parameter and the compiler cannot decide; otherwise
 * `never`. The compiler accepts `H` here, because `"accepted"` is the only possible key.
 */
type IfUndecided<H, Params extends string> = { accepted: H }[Acceptance<H, Params>];

/** The handler of a route, if its result is sent. */
export type CheckedHandler<H, Params extends string, Method extends string, Path extends string> = Checked<
  H,
  Params,
  `The handler of ${Method} ${Path} returns a value that is not sent. Return e.json(200, data), another response, or nothing.`
>;

/** The handler of a resource, if its result is sent. */
export type CheckedField<H, Params extends string, Resource extends string, Field extends string> = Checked<
  H,
  Params,
  `The handler "${Field}" of the resource "${Resource}" returns a value that is not sent. Return e.json(200, data), another response, or nothing.`
>;

/**
 * What the compiler infers for a function. With any function, a mistake gets the message of `CheckedMiddleware`. The
 * parameter of the function still has a type, because `Function` has no signature.
 */
// biome-ignore lint/complexity/noBannedTypes: see above
export type AnyFunction<Params extends string> = Handler<Params> | Function;

/** The same for middleware. */
export type AnyMiddleware<Params extends string> = AnyFunction<Params> | MiddlewareHandler<Params>;

/** Middleware, if its results are sent and all functions that create middleware are called. */
export type CheckedMiddleware<M extends unknown[], Params extends string> = {
  [K in keyof M]: Checked<M[K], Params, MiddlewareMistake<M[K], Params>>;
};

type MiddlewareMistake<M, Params extends string> = M extends (...args: never) => Middleware
  ? "This function creates middleware. Call it, as in requireAuth()."
  : M extends Middleware<Params>
    ? "This middleware returns a value that is not sent. Return e.next(), e.json(200, data), another response, or nothing."
    : Middleware<Params>;
