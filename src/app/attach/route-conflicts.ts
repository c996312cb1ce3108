import type { HostRoute } from "../../adapters/index.ts";
import type { FeatureLogger } from "../../feature/index.ts";
import type { Listener } from "../../http/index.ts";

/** Warns of the routes of an application that Annex hides: its paths come first. Each route is reported once. */
export class RouteConflicts {
  private readonly routes: Listener["routes"];
  private readonly logger: Pick<FeatureLogger, "warn">;
  private readonly reported = new Set<string>();

  constructor(routes: Listener["routes"], logger: Pick<FeatureLogger, "warn">) {
    this.routes = routes;
    this.logger = logger;
  }

  check(found: Iterable<HostRoute>): void {
    for (const { method = "GET", pattern } of found) {
      // Frameworks add one for each GET.
      if (method === "HEAD") continue;
      const name = `${method} ${pattern}`;
      const hiding = this.findHiding(method, pattern);
      if (hiding === undefined || this.reported.has(name)) continue;
      this.reported.add(name);
      this.logger.warn(
        `The route ${name} of the application cannot be reached: Annex serves ${hiding}. To move the paths of Annex, set the option "basePath".`,
        { route: name },
      );
    }
  }

  /** The path or prefix of Annex that hides a route. */
  private findHiding(method: string, pattern: string): string | undefined {
    const prefix = this.routes.findReserved(pattern);
    if (prefix !== undefined) return prefix;
    const isHidden = !pattern.includes("{") && this.routes.matchOwn(method, pattern) !== undefined;
    return isHidden ? pattern : undefined;
  }
}
