import type { App } from "../../src/app/app.ts";
import { createBase } from "../../src/app/base.ts";
import { resolveConfig } from "../../src/app/config/config.ts";
import type { AppOptions } from "../../src/app/config/options.ts";
import { features } from "../../src/app/features.ts";
import { InstalledFeatures } from "../../src/app/installed-features.ts";

/** A route of Annex itself. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  readonly isForSuperusers: boolean;
}

/** All routes of Annex, as an application registers them. */
export function listOwnRoutes(options: AppOptions = {}): OwnRoute[] {
  const { auth, context, listener } = createBase({
    config: resolveConfig(options, {}),
    // No route is called, so nothing of the application is used.
    app: {} as App,
    features,
    authenticateFunction: () => undefined,
  });
  auth.mount(listener.routes.router("Annex"));
  new InstalledFeatures(features, context).mount(listener.routes);
  return listener.routes.routes.map(({ method, pattern, notes }) => ({
    method,
    path: pattern.text,
    isForSuperusers: notes.some(({ auth }) => auth === "superuser"),
  }));
}
