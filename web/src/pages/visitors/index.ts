import { definePage } from "../define-page.ts";

export const visitors = definePage({
  name: "visitors",
  title: "Visitors",
  icon: "visitors",
  shortcut: "v",
  load: async () => (await import("./visitors.tsx")).Visitors,
});

declare module "../../state/address.ts" {
  interface Pages {
    visitors: true;
  }
}
