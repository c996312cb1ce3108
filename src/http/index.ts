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

export { findObserved } from "./attach/find-observed.ts";
export { HostRoutes } from "./attach/host-routes.ts";
export { hookServer, type PassOn, toHttpServer } from "./attach/host-server.ts";
export { setOwn } from "./attach/own-property.ts";
export type { UploadedFile } from "./body/multipart.ts";
export { bodyLimit } from "./body-limit.ts";
export { type ProxyTrust, parseTrustedProxies } from "./client-address.ts";
export { acceptsGzip } from "./compression/accept-encoding.ts";
export type { ErrorBody } from "./errors/error-response.ts";
export { SERVER_STOPPING } from "./errors/errors.ts";
export { asksForPage, Html, html, pageHeaders, withBasePath } from "./errors/page.ts";
export { RequestEvent } from "./event.ts";
export { BuiltClient, type ClientFiles, clientFolder, readClient } from "./files/built-client.ts";
export { type CachedFile, sendCached } from "./files/cached-file.ts";
export { createStaticFile, type StaticFile, sendStatic } from "./files/static-file.ts";
export { readTheme, type Theme } from "./files/theme.ts";
export type { Handler, Middleware, MiddlewareHandler } from "./handler.ts";
export type { CookieOptions } from "./headers/cookies.ts";
export type { Host } from "./host.ts";
export type { Identify } from "./identify.ts";
export type { Identity } from "./identity.ts";
export { checked } from "./middleware/checked.ts";
export { type CompressOptions, compress } from "./middleware/compress.ts";
export { type CorsOptions, cors } from "./middleware/cors.ts";
export type { AllowedOrigins } from "./middleware/cors-origins.ts";
export type { RateCounter, Tally, UnsharedCount } from "./middleware/rate-counter.ts";
export {
  createRateLimit,
  type RateLimiter,
  type RateLimitOptions,
  rateLimit,
  rateLimiterOf,
} from "./middleware/rate-limit.ts";
export { type SecurityHeadersOptions, securityHeaders } from "./middleware/security-headers.ts";
export { neverCached } from "./never-cached.ts";
export { Client } from "./observation/client.ts";
export type {
  FailedRequest,
  FinishedRequest,
  RefusedRequest,
  UntrustedForwarding,
} from "./observation/finished-request.ts";
export { observedOf } from "./observation/host-response.ts";
export { ObservedRequest } from "./observation/observed-request.ts";
export type { RequestObserver } from "./observation/observer.ts";
export { limitOptions, parseAddresses, proxyOptions, toAddressList } from "./options.ts";
export { invalidParameter, query } from "./query/query.ts";
export { type Problems, type QuerySource, type QueryValues, readQuery } from "./query/read-query.ts";
export { findDurationConflict, maxPathLength, requestFilters } from "./query/request-filters.ts";
export type { PathParams } from "./route/pattern.ts";
export type { Route } from "./route/route.ts";
export type { FindProblems, ParameterSource, RouteCheck } from "./route/route-check.ts";
export { RouteError } from "./route/route-error.ts";
export type { RegisteredRoute } from "./routing/registered-route.ts";
export { type BoundFunction, RouteTable } from "./routing/route-table.ts";
export type { CRUDHandlers, RootRouter, RouteChain, Router } from "./routing/router.ts";
export type { SentResponse } from "./sent-response.ts";
export type { InjectRequest, InjectResponse } from "./server/inject.ts";
export { type ListenerLimits, listenerLimits } from "./server/limits.ts";
export { explainListenError } from "./server/listen-error.ts";
export { Listener } from "./server/listener.ts";
export type { LongRequest, LongRequests } from "./server/long-requests.ts";
export { monitorProcess, runObserved } from "./server/process-monitor.ts";
export { explainStartErrors, guardProcess, onCrash } from "./server/recovery.ts";
export type { StaticFilesOptions } from "./static/options.ts";
export { staticFiles } from "./static/static-files.ts";
export { formatEvent, type ServerSentEvent } from "./streams/event-format.ts";
export type { EventProducer, EventStream, EventStreamOptions } from "./streams/event-stream.ts";
export type { StreamNumbers } from "./streams/open-streams.ts";
export type { RevocationOf } from "./streams/shutdown.ts";
export { readCertificate, type ServerCertificate, usesTls } from "./tls/certificate.ts";
export { tlsOptions } from "./tls/options.ts";
export type { UpgradeHandler, UpgradeOptions } from "./upgrade/accept.ts";
