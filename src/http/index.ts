/**
 * The HTTP layer: a listener that assigns a trace ID to every request, a router that runs middleware and handlers, and
 * an observer that reports every finished request to its subscribers.
 *
 * ```ts
 * const listener = new Listener({ app, limits: listenerLimits });
 * listener.routes.router("the application").get("/hello/{name}", (e) => e.text(200, `Hello ${e.pathValue("name")}`));
 * listener.observer.onFinished(({ method, path, statusCode }) => console.log(method, path, statusCode));
 * await listener.ready();
 * await listener.inject({ url: "/hello/you" });
 * ```
 */
export type { Answer } from "./answer.ts";
export { bodyLimit } from "./body-limit.ts";
export { answerCached, type CachedFile } from "./cached-file.ts";
export { type ProxyTrust, parseTrustedProxies } from "./client-address.ts";
export type { ErrorBody } from "./error-answer.ts";
export { RequestEvent } from "./event.ts";
export type { Handler, Middleware, MiddlewareHandler } from "./handler.ts";
export type { Host } from "./host.ts";
export type { Identify } from "./identify.ts";
export type { Identity } from "./identity.ts";
export type { InjectRequest, InjectResponse } from "./inject.ts";
export { Listener, type ListenerLimits, type ListenerOptions, listenerLimits } from "./listener.ts";
export type { LongRequest, LongRequests } from "./long-requests.ts";
export type { UploadedFile } from "./multipart.ts";
export { neverCached } from "./never-cached.ts";
export {
  Client,
  type FailedRequest,
  type FinishedRequest,
  type RefusedRequest,
  type RequestObserver,
  type UntrustedForwarding,
} from "./observer.ts";
export { Html, html, pageHeaders } from "./page.ts";
export type { PathParams } from "./pattern.ts";
export { guardProcess, onCrash } from "./recovery.ts";
export type { Route } from "./route.ts";
export { RouteError } from "./route-error.ts";
export {
  type CRUDHandlers,
  type RegisteredRoute,
  type RootRouter,
  type RouteChain,
  type Router,
  RouteTable,
} from "./router.ts";
export { answerStatic, createStaticFile, type StaticFile } from "./static-file.ts";
