import { definePage } from "../define-page.ts";

export const errors = definePage({
  name: "errors",
  title: "Errors",
  icon: "errors",
  shortcut: "e",
  load: async () => (await import("./errors.tsx")).Errors,
});

declare module "../../state/address.ts" {
  interface Pages {
    errors: true;
  }
}
