import { signal } from "@preact/signals";

/** Whether the page is as narrow as a phone. The style sheets use the same width. */
const phone = window.matchMedia("(max-width: 48rem)");

export const isNarrow = signal(phone.matches);

phone.addEventListener("change", () => {
  isNarrow.value = phone.matches;
});
