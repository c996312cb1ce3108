import { definePage } from "../define-page.ts";

export const requests = definePage({
  name: "requests",
  title: "Requests",
  icon: "requests",
  shortcut: "r",
  load: async () => (await import("./requests.tsx")).Requests,
});

declare module "../../state/address.ts" {
  interface Pages {
    requests: true;
  }
}
