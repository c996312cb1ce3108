import { definePage } from "../define-page.ts";

export const config = definePage({
  name: "config",
  title: "Config",
  icon: "config",
  shortcut: "s",
  load: async () => (await import("./config.tsx")).Config,
});

declare module "../../state/address.ts" {
  interface Pages {
    config: true;
  }
}
