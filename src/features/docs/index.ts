import { defineFeature } from "../../feature/index.ts";
import { joinSome } from "../../lib/text/join-some.ts";
import { createSourceAnalyzer } from "./analysis/index.ts";
import type { ClientTarget } from "./client/keep-clients.ts";
import { Docs } from "./docs.ts";
import { createCheckup } from "./doctor-report.ts";
import { docsOptions, refuseMissingFolder } from "./options.ts";
import { mountDocs } from "./routes.ts";
import { DeprecationDates, docsStore } from "./versions/deprecation-dates.ts";
import { attachDocs } from "./versions/server.ts";

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
export type { ClientTarget } from "./client/keep-clients.ts";
export { Docs } from "./docs.ts";
export type { Diagnostic, OperationFacts } from "./model/facts.ts";
export type { OpenAPIDocument } from "./model/openapi.ts";
export type { Endpoint } from "./registry/endpoint.ts";
export { APIRegistry, type EndpointStats } from "./registry/registry.ts";
export type { SpecChange } from "./specs/change.ts";
export { diffSpecs } from "./specs/diff.ts";
export { readSpecFile, type SpecFile } from "./specs/spec-files.ts";
export type { APIDocsConfig } from "./versions/config.ts";
export type { VersionInfo } from "./versions/version.ts";
export {
  APIVersionManager,
  type APIVersionManagerOptions,
  initializeVersionedSystemWithRoutes,
  type RouteRegistrar,
} from "./versions/version-manager.ts";
export type { VersionedRouter } from "./versions/versioned-router.ts";

/** The generator of clients. A server does not need it. */
export const loadClientGenerator = () => import("./client/generator.ts");

export const docs = defineFeature({
  name: "docs",
  reserves: ["/api/docs"],
  stores: [docsStore],
  options: [docsOptions],
  create({ app, dev, logger, options, allOptions, storage, authenticateFunction, environmentValues }) {
    const { versions, specsDir, docsSources } = options.current;
    const docs = new Docs({ publishesSources: docsSources, publishesImplicit: dev });
    const dates = new DeprecationDates({ database: storage.database, logger });
    docs.onVersion = (version) => dates.note(version);
    let isClosed = false;
    attachDocs(app, docs);
    versions?.registerWithServer(app);

    const learnFromSource = (watches: boolean) =>
      docs.setAnalyzer(() =>
        createSourceAnalyzer({
          watches,
          environment: environmentValues(),
          authenticate: authenticateFunction(),
        }),
      );

    /** Logs the first diagnostic of the source analysis, and the number of others. */
    function reportDiagnostics(): void {
      const { diagnostics = [] } = docs.builder.analysis ?? {};
      const [first] = diagnostics;
      if (!first || isClosed) return;
      const place = first.file ? `${[first.file, first.line ?? []].flat().join(":")}: ` : "";
      const routes = first.routes?.length ? `${joinSome(first.routes)}: ` : "";
      const more =
        diagnostics.length > 1 ? ` (and ${diagnostics.length - 1} more; run annex doctor to list them)` : "";
      logger.warn(`API documentation: ${place}${routes}${first.message}${more}`);
    }

    return {
      mount: (router) => mountDocs(router, docs),
      open: () => dates.open(docs.listRegistered()),
      serve(router) {
        const documented = docs.implicit.document(router);
        versions?.registerAllVersionRoutes({ router: documented, app });
        return documented;
      },
      ready(isListening) {
        docs.checkVersions((message) => logger.warn(message));
        if (!dev) refuseMissingFolder(specsDir, allOptions.entries);
        if (dev) learnFromSource(isListening);
        else docs.readSpecs(specsDir, (message) => logger.warn(message));
        if (dev) docs.checks.awaitAnalysis(() => void docs.analyze());
        else docs.checks.read(specsDir);
      },
      start() {
        // An application that did not ask for documentation or checks has its source read when a document is requested.
        if (!docs.isImplicit || docs.checks.isNeeded) void docs.analyze().then(reportDiagnostics);
      },
      async close() {
        isClosed = true;
        await Promise.all([docs.close(), dates.settle()]);
      },
      /** Keeps generated clients current, as `annex dev --client` does. */
      async keepClients(targets: readonly ClientTarget[]): Promise<void> {
        if (!dev) {
          logger.warn("API clients are not updated: NODE_ENV is production, so the source is not read");
          return;
        }
        const { keepClients } = await loadClientGenerator();
        await keepClients(targets, { docs, logger, isClosed: () => isClosed });
      },
      /** Writes the documents of all versions, and the checks, to a folder. Returns why routes cannot be checked. */
      async writeSpecs(folder: string): Promise<readonly string[]> {
        learnFromSource(false);
        return (await docs.writeSpecs(folder)).problems;
      },
      /** Checks the documents, as `annex doctor` does. */
      async check() {
        learnFromSource(false);
        docs.registerRoutes();
        await docs.analyze();
        return createCheckup(docs);
      },
    };
  },
});
