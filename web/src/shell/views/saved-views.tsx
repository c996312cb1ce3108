import { lazily } from "../../ui/feedback/lazy.tsx";
import { viewDialog } from "./view-dialog.ts";

const ViewList = lazily(async () => (await import("./view-list.tsx")).ViewList, null);
const SaveView = lazily(async () => (await import("./save-view.tsx")).SaveView, null);

/** The dialogs of saved views. They are loaded when one is first opened. */
export function SavedViews() {
  if (viewDialog.value === "list") return <ViewList />;
  return viewDialog.value === "save" ? <SaveView /> : null;
}
