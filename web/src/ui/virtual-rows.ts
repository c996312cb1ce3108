import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Which rows of a long list are in sight, and how much room the others take. */
export interface VirtualRows {
  /** Where the rows begin. */
  readonly top: RefObject<HTMLElement | null>;
  readonly first: number;
  /** The one behind the last. */
  readonly end: number;
  readonly before: number;
  readonly after: number;
  /** Whether the first row has been scrolled away. */
  readonly isScrolled: boolean;
  /** How much of the page the bar above covers. */
  readonly covered: number;
}

interface VirtualOptions {
  readonly count: number;
  /** In pixels, of every row. */
  readonly rowHeight: number;
  /** What some rows take besides, by their number. */
  readonly extras?: ReadonlyMap<number, number>;
}

const spare = 8;

/** A list that scrolls with the page, of which only the rows in sight are drawn. */
export function useVirtualRows({ count, rowHeight, extras = noExtras }: VirtualOptions): VirtualRows {
  const top = useRef<HTMLElement>(null);
  const [view, setView] = useState({ from: 0, to: window.innerHeight, isScrolled: false, covered: 0 });

  function look(): void {
    if (!top.current) return;
    const start = top.current.getBoundingClientRect().top;
    const covered = coveredHeight();
    const next = {
      // In whole rows, so that not every pixel draws the list anew.
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
  // What stands above the list may have changed its height.
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

/** How high the rows before this one are together. */
function heightOf(row: number, rowHeight: number, extras: ReadonlyMap<number, number>): number {
  let height = row * rowHeight;
  for (const [index, extra] of extras) if (index < row) height += extra;
  return height;
}

/** The row that is so far below the top. */
function rowAt(offset: number, rowHeight: number, extras: ReadonlyMap<number, number>): number {
  let rest = offset;
  for (const [index, extra] of [...extras].sort(([one], [other]) => one - other)) {
    if (index * rowHeight >= rest) break;
    // Within the extra height it is still this row.
    rest = Math.max(index * rowHeight, rest - extra);
  }
  return Math.floor(rest / rowHeight);
}

/** The time bar stays at the top where there is room for it. */
function coveredHeight(): number {
  const bar = document.querySelector<HTMLElement>(".time-bar");
  return bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
}
