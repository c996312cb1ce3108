/** Whether the user is there. An idle timeout must not wait for a page that refreshes itself. */

const awayMs = 60_000;
let lastInput = performance.now();

for (const type of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
  addEventListener(
    type,
    () => {
      lastInput = performance.now();
    },
    { capture: true, passive: true },
  );
}

/** Marks a request that is sent without the user, so that the server does not count it as a use of the session. */
export function markAutomatic(headers: Headers): void {
  if (performance.now() - lastInput > awayMs) headers.set("X-Annex-Automatic", "1");
}
