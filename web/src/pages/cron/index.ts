import { definePage } from "../define-page.ts";

export const cron = definePage({
  name: "cron",
  title: "Cron",
  icon: "cron",
  shortcut: "c",
  load: async () => (await import("./cron.tsx")).Cron,
});

declare module "../../state/address.ts" {
  interface Pages {
    cron: true;
  }
}
