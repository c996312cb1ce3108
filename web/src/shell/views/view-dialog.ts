import { signal } from "@preact/signals";

/** The open dialog: the list of saved views, or the form that saves this one. */
export const viewDialog = signal<"list" | "save" | undefined>(undefined);

export function openViews(): void {
  viewDialog.value = "list";
}

export function saveView(): void {
  viewDialog.value = "save";
}

export function closeViews(): void {
  viewDialog.value = undefined;
}
