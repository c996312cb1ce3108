/** Entry point of the documentation page. It renders into the page that `src/features/docs/ui` serves. */
import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/controls.css";
import "../styles/parts.css";
import "../styles/tables.css";
import "../styles/dialogs.css";
import "../styles/layout.css";
import "../explorer/explorer.css";
import "./docs.css";
import { render } from "preact";
import { rememberForSession } from "../explorer/auth/credentials.ts";
import { followLinks } from "../state/address.ts";
import { completeMovedClicks } from "../ui/controls/moved-clicks.ts";
import { Docs } from "./docs.tsx";
import * as site from "./site.ts";
import { openSwaggerLink } from "./swagger-link.ts";

openSwaggerLink();
followLinks();
completeMovedClicks();
rememberForSession(`annex-docs-credentials ${site.documentPath}`);
document.addEventListener("keydown", focusSearch);
render(<Docs />, document.getElementById("app")!);

/** The slash key goes to the search, unless the user is typing. */
function focusSearch(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest("input, textarea, select, dialog") !== null;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>("[data-search]")?.focus();
}
