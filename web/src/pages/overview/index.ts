import { definePage } from "../define-page.ts";
import { Overview } from "./overview.tsx";

/** The first page that users see, so it is part of the initial bundle. */
export const overview = definePage({
  name: "overview",
  title: "Overview",
  icon: "overview",
  shortcut: "o",
  load: () => Overview,
});
