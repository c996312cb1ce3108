/** Tracks whether the user is active. Automatic refreshes must not extend the session beyond the idle timeout. */

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

/** Marks an automatic request, so that the server does not count it as session activity. */
export function markAutomatic(headers: Headers): void {
  if (performance.now() - lastInput > awayMs) headers.set("X-Annex-Automatic", "1");
}
