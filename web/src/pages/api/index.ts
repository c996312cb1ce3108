import { definePage } from "../define-page.ts";

export const api = definePage({
  name: "api",
  title: "API",
  icon: "api",
  shortcut: "a",
  load: async () => (await import("./api.tsx")).Api,
});

declare module "../../state/address.ts" {
  interface Pages {
    api: true;
  }
}
