/**
 * The dashboard at `/_/_`: one page for a superuser, and the client it loads, which is built from `web/` and asks the
 * data routes of the other features. Here is only what serves it.
 *
 * ```ts
 * mountDashboard(listener.routes.router("Annex"), { annexVersion: "1.0.0" });
 * ```
 */
export { mountDashboard } from "./routes.ts";
