const controls = "a[href], button, summary, label, input, select, [role=option]";
/** The mouse can move this far during a click, in pixels. */
const tremor = 4;

/**
 * Completes clicks on controls that move between press and release, as on a live page. The browser sends such a click to
 * an element around both places, where nothing would happen.
 */
export function completeMovedClicks(): void {
  let press: { readonly control: HTMLElement; readonly x: number; readonly y: number } | undefined;
  const listening = { capture: true };
  document.addEventListener(
    "pointerdown",
    ({ target, clientX: x, clientY: y }) => {
      const control = (target as Element).closest<HTMLElement>(controls);
      press = control ? { control, x, y } : undefined;
    },
    listening,
  );
  document.addEventListener(
    "click",
    (event) => {
      if (!event.isTrusted || !press) return;
      const { control, x, y } = press;
      press = undefined;
      const target = event.target as Element;
      if (target === control || !target.contains(control)) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (Math.hypot(event.clientX - x, event.clientY - y) > tremor) return;
      event.stopPropagation();
      control.click();
    },
    listening,
  );
}
