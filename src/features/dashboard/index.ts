import { defineFeature } from "../../feature/index.ts";
import { mountDashboard } from "./routes.ts";
import { dashboardStore } from "./tables.ts";
import { createViewStore } from "./views/store.ts";

/**
 * The dashboard at `/_/_`: a page for superusers, the client it loads, and the views that superusers save. The client is
 * built from `web/` and uses the data routes of the other features.
 *
 * ```ts
 * const views = createViewStore(async () => database, systemClock);
 * mountDashboard(listener.routes.router("Annex"), { annexVersion: "1.0.0", views });
 * ```
 */
export const dashboard = defineFeature({
  name: "dashboard",
  stores: [dashboardStore],
  options: [],
  create({ clock, events, storage, version, reports }) {
    let attachedTo: string | undefined;
    events.on("app.started", (started) => {
      attachedTo = started.attachedTo;
    });
    const views = createViewStore(storage.database, clock);
    const initialData = () => Object.assign({}, ...reports.initialData.list().map((read) => read()));
    const options = { annexVersion: version, views, attachedTo: () => attachedTo, initialData };
    return { mount: (router) => mountDashboard(router, options) };
  },
});
