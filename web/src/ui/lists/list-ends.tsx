import "./list-ends.css";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { formatWhole } from "../../format/numbers.ts";
import { isCutOff, reconnected } from "../../state/live.ts";
import type { RecordPages } from "../../state/record-pages.ts";
import { Empty, Problem } from "../feedback/notice.tsx";
import { Icon } from "../icon.tsx";

interface HeldPillProps {
  readonly isHeld: boolean;
  /** Whether the list is held although it is not scrolled. */
  readonly isAtTop?: boolean;
  readonly fresh: number;
  /** The height of the page that the time bar covers. */
  readonly covered: number;
  readonly top: RefObject<HTMLElement | null>;
  /** Clears other reasons for holding the list. */
  onResume?(): void;
}

/** Shows that a list is held while the user reads it. Pressing it returns to the top and resumes updates. */
export function HeldPill({ isHeld, isAtTop = false, fresh, covered, top, onResume }: HeldPillProps) {
  if (!isHeld) return null;
  function resume(): void {
    onResume?.();
    const start = top.current?.getBoundingClientRect().top ?? 0;
    window.scrollTo({ top: Math.max(0, window.scrollY + start - covered - 120) });
  }
  return (
    <div class={`held ${isAtTop ? "at-top" : ""}`} style={{ "--covered": `${covered + 44}px` }}>
      <button type="button" class="chip" onClick={resume}>
        <Icon name={fresh > 0 ? "play" : "pause"} />
        {fresh > 0 ? `${formatWhole(fresh)} new` : `Paused while you ${isAtTop ? "read" : "scroll"}`} · Resume
      </button>
    </div>
  );
}

interface ListEndProps {
  readonly pages: RecordPages;
  readonly count: number;
  readonly most: number;
  /** The kind of items, in the plural. */
  readonly what: string;
  /** The reason why the list may be empty. */
  readonly none: string;
}

/** The end of a list: loading, complete, limited or failed. */
export function ListEnd({ pages, count, most, what, none }: ListEndProps) {
  const { state, error, read, more } = pages;
  useEffect(() => {
    if (state === "failed") more();
  }, [reconnected.value]);
  if (state === "failed" && isCutOff.value) {
    return (
      <p class="list-end row hint">
        <Icon name="running" /> Waiting for the server…
      </p>
    );
  }
  if (state === "failed") return <Problem error={error!} retry={more} />;
  if (state === "loading" || state === "waiting") {
    return (
      <p class="list-end row hint" role="status">
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
    <p class="list-end row hint">
      {state === "full"
        ? `This list stops at ${formatWhole(most)} ${what}. Choose a smaller window or a narrower search to see earlier ones; the download has them all.`
        : `End of list: no older ${what} in this window.`}
    </p>
  );
}
