import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Makes the links and buttons of an element one tab stop, as in a toolbar. The arrow keys, Home and End move between
 * them. Tab enters at the selected one, or at the first.
 */
export function useArrowKeys<Group extends HTMLElement>(): RefObject<Group | null> {
  const group = useRef<Group>(null);
  // After every render, because the items and the selected one may have changed.
  useLayoutEffect(() => {
    if (group.current) chooseTabStop(group.current);
  });
  useLayoutEffect(() => {
    const element = group.current;
    if (!element) return;
    const choose = () => chooseTabStop(element);
    element.addEventListener("keydown", move);
    element.addEventListener("focusin", choose);
    element.addEventListener("focusout", choose);
    return () => {
      element.removeEventListener("keydown", move);
      element.removeEventListener("focusin", choose);
      element.removeEventListener("focusout", choose);
    };
  }, []);
  return group;
}

function itemsOf(group: HTMLElement): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>("a[href], button:not(:disabled)")].filter(
    // On a phone, some are not displayed.
    (item) => item.checkVisibility(),
  );
}

function chooseTabStop(group: HTMLElement): void {
  const items = itemsOf(group);
  const stop =
    items.find((item) => item === document.activeElement) ??
    items.find((item) => item.matches("[aria-current], [aria-pressed=true]")) ??
    items[0];
  for (const item of items) item.tabIndex = item === stop ? 0 : -1;
}

function move(this: HTMLElement, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const items = itemsOf(this);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = findTarget(items, at, event.key);
  if (at === -1 || !target) return;
  event.preventDefault();
  target.focus();
}

function findTarget(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  const step = steps[key];
  return step === undefined ? undefined : items[(at + step + items.length) % items.length];
}
