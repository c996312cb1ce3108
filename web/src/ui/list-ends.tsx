import "./list-ends.css";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { RecordPages } from "../data/record-pages.ts";
import { formatWhole } from "../format/numbers.ts";
import { isCutOff, reconnected } from "../state/live.ts";
import { Icon } from "./icon.tsx";
import { Empty, Problem } from "./notice.tsx";

interface HeldPillProps {
  readonly isHeld: boolean;
  /** Whether it is held for another reason than that it was scrolled. */
  readonly isAtTop?: boolean;
  readonly fresh: number;
  /** How much of the page the bar above covers. */
  readonly covered: number;
  readonly top: RefObject<HTMLElement | null>;
  /** Lets go of whatever else holds the list. */
  onResume?(): void;
}

/** Says that a list stands still while somebody reads it, and leads back to its top, where it goes on. */
export function HeldPill({ isHeld, isAtTop = false, fresh, covered, top, onResume }: HeldPillProps) {
  if (!isHeld) return null;
  function resume(): void {
    onResume?.();
    const start = top.current?.getBoundingClientRect().top ?? 0;
    window.scrollTo({ top: Math.max(0, window.scrollY + start - covered - 120) });
  }
  return (
    <div class={`held ${isAtTop ? "at-top" : ""}`} style={{ "--covered": `${covered + 44}px` }}>
      <button type="button" onClick={resume}>
        <Icon name={fresh > 0 ? "play" : "pause"} />
        {fresh > 0 ? `${formatWhole(fresh)} new` : "Held while you read"} · resume
      </button>
    </div>
  );
}

interface ListEndProps {
  readonly pages: RecordPages;
  readonly count: number;
  readonly most: number;
  /** What the list is of. */
  readonly what: string;
  /** Why there is nothing. */
  readonly none: string;
}

/** How far back a list goes, and why no further. */
export function ListEnd({ pages, count, most, what, none }: ListEndProps) {
  const { state, error, read, more } = pages;
  useEffect(() => {
    if (state === "failed") more();
  }, [reconnected.value]);
  if (state === "failed" && isCutOff.value) {
    return (
      <p class="list-end hint">
        <Icon name="running" /> Waiting for the server…
      </p>
    );
  }
  if (state === "failed") return <Problem error={error!} retry={more} />;
  if (state === "loading" || state === "waiting") {
    return (
      <p class="list-end hint" role="status">
        <Icon name="running" /> Searching further back{read > 2 && `, ${read} pages so far`}…
      </p>
    );
  }
  if (count === 0) {
    return (
      <Empty icon="search" title={`No ${what} here`}>
        {none}
      </Empty>
    );
  }
  return (
    <p class="list-end hint">
      {state === "full"
        ? `This list stops at ${formatWhole(most)} ${what}. Choose a smaller window or a narrower search to see earlier ones; the download has them all.`
        : `These are all known ${what} of this window.`}
    </p>
  );
}
