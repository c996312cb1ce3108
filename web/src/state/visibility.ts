import { signal } from "@preact/signals";

/** Whether the page is visible. Hidden pages neither load nor draw data. */
export const isVisible = signal(!document.hidden);

document.addEventListener("visibilitychange", () => {
  isVisible.value = !document.hidden;
});
