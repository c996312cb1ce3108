import { signal } from "@preact/signals";

/** Whether latency charts have a logarithmic axis. Remembered by the browser. */

const key = "annex_log_axis";

export const hasLogAxis = signal(read());

export function switchLogAxis(): void {
  hasLogAxis.value = !hasLogAxis.value;
  try {
    localStorage.setItem(key, hasLogAxis.value ? "on" : "off");
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(key) === "on";
  } catch {
    return false;
  }
}
