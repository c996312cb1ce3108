import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The visible rows of a long list, and the space that the others take. */
export interface VirtualRows {
  /** The element before the first row. */
  readonly top: RefObject<HTMLElement | null>;
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly before: number;
  readonly after: number;
  /** Whether the first row is out of view. */
  readonly isScrolled: boolean;
  /** The height of the page that the time bar covers. */
  readonly covered: number;
}

interface VirtualOptions {
  readonly count: number;
  /** The height of each row in pixels. */
  readonly rowHeight: number;
  /** Additional height of some rows, by index. */
  readonly extras?: ReadonlyMap<number, number>;
}

const spare = 8;

/** A list that scrolls with the page and renders only its visible rows. */
export function useVirtualRows({ count, rowHeight, extras = noExtras }: VirtualOptions): VirtualRows {
  const top = useRef<HTMLElement>(null);
  const [view, setView] = useState({ from: 0, to: window.innerHeight, isScrolled: false, covered: 0 });

  function look(): void {
    if (!top.current) return;
    const start = top.current.getBoundingClientRect().top;
    const covered = coveredHeight();
    const next = {
      // In whole rows, so that the list is not rendered for every pixel.
      from: Math.floor(Math.max(0, -start) / rowHeight) * rowHeight,
      to: Math.ceil(Math.max(0, window.innerHeight - start) / rowHeight) * rowHeight,
      isScrolled: start < covered - 4,
      covered,
    };
    setView((now) => (isSame(now, next) ? now : next));
  }
  useEffect(() => {
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    window.addEventListener("scroll", soon, { passive: true });
    window.addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", soon);
      window.removeEventListener("resize", soon);
    };
  }, [rowHeight]);
  // Content above the list may have changed its height.
  useLayoutEffect(look);

  const first = Math.max(0, rowAt(view.from, rowHeight, extras) - spare);
  const end = Math.min(count, rowAt(view.to, rowHeight, extras) + spare);
  return {
    top,
    first,
    end,
    before: heightOf(first, rowHeight, extras),
    after: Math.max(0, heightOf(count, rowHeight, extras) - heightOf(end, rowHeight, extras)),
    isScrolled: view.isScrolled,
    covered: view.covered,
  };
}

const noExtras: ReadonlyMap<number, number> = new Map();

function isSame<T extends object>(one: T, other: T): boolean {
  return (Object.keys(one) as (keyof T)[]).every((name) => one[name] === other[name]);
}

/** The total height of the rows before this one. */
function heightOf(row: number, rowHeight: number, extras: ReadonlyMap<number, number>): number {
  let height = row * rowHeight;
  for (const [index, extra] of extras) if (index < row) height += extra;
  return height;
}

/** The row at this offset from the top. */
function rowAt(offset: number, rowHeight: number, extras: ReadonlyMap<number, number>): number {
  let rest = offset;
  for (const [index, extra] of [...extras].sort(([one], [other]) => one - other)) {
    if (index * rowHeight >= rest) break;
    // The additional height belongs to the same row.
    rest = Math.max(index * rowHeight, rest - extra);
  }
  return Math.floor(rest / rowHeight);
}

/** The time bar is sticky if there is room for it. */
function coveredHeight(): number {
  const bar = document.querySelector<HTMLElement>(".time-bar");
  return bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
}
