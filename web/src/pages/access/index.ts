import { definePage } from "../define-page.ts";

export const access = definePage({
  name: "access",
  title: "Access",
  icon: "access",
  shortcut: "k",
  load: async () => (await import("./access.tsx")).Access,
});

declare module "../../state/address.ts" {
  interface Pages {
    access: true;
  }
}
