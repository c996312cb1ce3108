import { signal } from "@preact/signals";
import { pages } from "../pages/index.ts";
import { go, hrefTo } from "../state/address.ts";
import { switchTheme } from "../state/theme.ts";
import { isLive, setLive } from "../state/time-window.ts";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { isPaletteOpen } from "./palette.tsx";
import { openViews } from "./views/view-dialog.ts";

/** Global keyboard shortcuts, ignored while the user is typing. */

const isHelpOpen = signal(false);

interface Shortcut {
  readonly keys: string;
  readonly what: string;
}

const shortcuts: readonly Shortcut[] = [
  { keys: "Ctrl K", what: "Find a trace, a route, a job, a page or a saved view" },
  { keys: "/", what: "Search on this page" },
  { keys: "Space", what: "Pause or go live" },
  { keys: "V", what: "Open the saved views" },
  { keys: "T", what: "Switch between dark and light" },
  { keys: "?", what: "Show this list" },
  ...pages.map(({ shortcut, title }) => ({ keys: `G ${shortcut.toUpperCase()}`, what: title })),
  { keys: "← →", what: "Move within the navigation, a choice, the markers or a lane" },
  { keys: "Escape", what: "Close the open dialog" },
];

/** Until then, a letter after G selects a page. */
let goesUntil = 0;
const patienceMs = 1_500;

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event)) return;
    if (press(event)) event.preventDefault();
  });
}

/** Whether a field, a button or a dialog handles the key. */
function isElsewhere({ target, key }: KeyboardEvent): boolean {
  const element = target as HTMLElement;
  if (element.closest("dialog")) return true;
  if (element.closest("input, textarea, select, [contenteditable]")) return true;
  return key === " " && element.closest("button, a, summary, [tabindex='0']") !== null;
}

/** Uses the time of the key event, because a busy page may handle it much later. */
function press({ key: pressed, timeStamp }: KeyboardEvent): boolean {
  const key = pressed.toLowerCase();
  const page = pages.find(({ shortcut }) => shortcut === key);
  if (page && timeStamp < goesUntil) {
    goesUntil = 0;
    go(hrefTo(page.name));
    return true;
  }
  goesUntil = key === "g" ? timeStamp + patienceMs : 0;
  if (key === "?") isHelpOpen.value = true;
  else if (key === " ") setLive(!isLive.value);
  else if (key === "v") openViews();
  else if (key === "t") switchTheme();
  else if (key === "/") return focusSearch();
  else return key === "g";
  return true;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("main [data-search]");
  field?.focus();
  return field !== null;
}

export function showKeys(): void {
  isHelpOpen.value = true;
}

export function Keys() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      <dl class="keys stack gap-4">
        {shortcuts.map(({ keys, what }) => (
          <div key={keys}>
            <dt class="row gap-4">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
