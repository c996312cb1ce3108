import { signal } from "@preact/signals";

/** Whether anybody can see the page: what nobody sees is neither asked for nor drawn. */
export const isVisible = signal(!document.hidden);

document.addEventListener("visibilitychange", () => {
  isVisible.value = !document.hidden;
});
