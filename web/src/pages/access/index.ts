import type { AccessRoutes } from "../../../../src/features/access/wire.ts";
import { definePage } from "../define-page.ts";

export const access = definePage({
  name: "access",
  title: "Access",
  icon: "key",
  shortcut: "k",
  load: async () => (await import("./access.tsx")).Access,
});

declare module "../../data/routes.ts" {
  interface Routes extends AccessRoutes {}
}

declare module "../../state/address.ts" {
  interface Pages {
    access: true;
  }
}
