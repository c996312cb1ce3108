import { demandSuperuser, isSuperuser, requireAuth, requireSuperuserAuth } from "../../auth/index.ts";
import type { RequestEvent, RootRouter } from "../../http/index.ts";
import { mountDocsData } from "./data-routes.ts";
import type { Docs } from "./docs.ts";
import { askerOf, findShown, sendDocument, superuserOf } from "./document-response.ts";
import { toDebugRecord, toSchemaConfig, toVersionEntry, toVersionSummary } from "./responses.ts";
import { mountPages } from "./ui/routes.ts";

/**
 * All routes under /api/docs and the data routes for the dashboard. Versions are looked up for each request, so new
 * ones are available immediately.
 */
export function mountDocs(router: RootRouter, docs: Docs): void {
  mountDocsData(router, docs);
  const root = router.setPrefix("/api/docs");

  const pages = mountPages(root, docs);
  router.get("/api/docs", (e) => e.redirect(302, `${e.basePath}/api/docs/versions`));

  root.get("/versions", (e) => {
    e.setHeader("Vary", "Accept");
    const page = pages.sendVersions(e);
    if (page) return page;
    demandSuperuser(e);
    const versions = docs.list();
    return e.json(200, {
      versions: versions.map((version) => toVersionEntry(version, e.basePath)),
      default_version: docs.defaultVersion ?? "",
      total_versions: versions.length,
      generated_at: new Date(docs.clock.now()).toISOString(),
    });
  });

  root
    .get("/debug/ast", async (e) => {
      await docs.settle();
      return e.json(200, await toDebugRecord(docs, superuserOf(e)));
    })
    .bind(requireSuperuserAuth());

  /** Runs before the guard, so that a disabled version is a 404 for all clients, like an unknown one. */
  const requireShown = (e: RequestEvent<"version">) => {
    findShown(docs, e.pathValue("version"));
    return e.next();
  };

  root
    .get("/{version}", (e) => {
      const version = findShown(docs, e.pathValue("version"));
      return e.query("view") === "summary"
        ? e.json(200, toVersionSummary(version, e.basePath))
        : sendDocument(e, docs, version, { isSuperuser: true });
    })
    .bind(requireShown, requireSuperuserAuth());

  for (const name of ["spec", "openapi.json"]) {
    root.get(`/{version}/${name}`, (e: RequestEvent<"version">) => {
      const version = findShown(docs, e.pathValue("version"));
      if (!version.config.publicSwagger) demandSuperuser(e);
      return sendDocument(e, docs, version);
    });
  }

  router
    .get("/api/{version}/schema/config", async (e) => {
      const version = findShown(docs, e.pathValue("version"));
      const showsNames = version.config.publicSwagger || isSuperuser(e.auth);
      await docs.settle();
      return e.json(200, await toSchemaConfig(docs, version, askerOf(e), showsNames));
    })
    .bind(requireShown, requireAuth());
}
