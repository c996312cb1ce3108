import type { VisitorsRoutes } from "../../../../src/features/visitors/wire.ts";
import { definePage } from "../define-page.ts";

export const visitors = definePage({
  name: "visitors",
  title: "Visitors",
  icon: "people",
  shortcut: "v",
  // Views are counted by hour, so a quarter of an hour has no trend.
  preset: "24h",
  load: async () => (await import("./visitors.tsx")).Visitors,
});

declare module "../../data/routes.ts" {
  interface Routes extends VisitorsRoutes {}
}

declare module "../../state/address.ts" {
  interface Pages {
    visitors: true;
  }
}
