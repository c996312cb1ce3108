import { definePage } from "../define-page.ts";

export const logs = definePage({
  name: "logs",
  title: "Logs",
  icon: "logs",
  shortcut: "l",
  load: async () => (await import("./logs.tsx")).Logs,
});

declare module "../../state/address.ts" {
  interface Pages {
    logs: true;
  }
}
