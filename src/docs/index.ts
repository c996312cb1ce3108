/**
 * Versioned API documentation: versions with their registries, the OpenAPI 3.0.3 documents generated from them, and the
 * routes under `/api/docs`.
 *
 * ```ts
 * const versions = new APIVersionManager();
 * versions.registerVersion("v1", { title: "Todos", publicSwagger: true });
 * versions.setVersionRouteRegistrar("v1", (router) => {
 *   router.get("/api/v1/todos", listTodos);
 * });
 * const app = createApp({ versions });
 * ```
 */
export { createSourceAnalyzer } from "./analysis/index.ts";
export { type Checkup, createCheckup, joinSome } from "./checkup.ts";
export { Docs, type DocsOptions } from "./docs.ts";
export type { Analysis, Analyzer } from "./openapi/analysis.ts";
export type { Diagnostic, OperationFacts } from "./openapi/facts.ts";
export type { OpenAPIDocument } from "./openapi/types.ts";
export type { Endpoint } from "./registry/endpoint.ts";
export { APIRegistry } from "./registry/registry.ts";
export { mountDocs } from "./routes.ts";
export type { SpecChange } from "./specs/change.ts";
export { diffSpecs } from "./specs/diff.ts";
export { readSpecFile, type SpecFile } from "./specs/spec-files.ts";
export { validateDocument } from "./specs/validate.ts";
export type { APIDocsConfig } from "./versions/config.ts";
export { attachDocs } from "./versions/server.ts";
export type { VersionInfo } from "./versions/version.ts";
export {
  APIVersionManager,
  type APIVersionManagerOptions,
  initializeVersionedSystemWithRoutes,
  type RouteRegistrar,
} from "./versions/version-manager.ts";
export type { VersionedRouter } from "./versions/versioned-router.ts";
