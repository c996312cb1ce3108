import { defineFeature } from "../../feature/index.ts";
import { mountDashboard } from "./routes.ts";

/**
 * The dashboard at `/_/_`: a page for superusers and the client it loads. The client is built from `web/` and uses the
 * data routes of the other features. This folder only serves the files.
 *
 * ```ts
 * mountDashboard(listener.routes.router("Annex"), { annexVersion: "1.0.0" });
 * ```
 */
export const dashboard = defineFeature({
  name: "dashboard",
  options: [],
  create: ({ version }) => ({
    mount: (router) => mountDashboard(router, { annexVersion: version }),
  }),
});
