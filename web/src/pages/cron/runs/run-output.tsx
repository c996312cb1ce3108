import { Component } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Run } from "../../../../../src/features/cron/wire.ts";
import { downloadText, toFileName } from "../../../data/download.ts";
import { formatWhole } from "../../../format/numbers.ts";
import { Button, CopyButton, IconButton } from "../../../ui/controls/button.tsx";
import { type OutputLine, type OutputLines, type Piece, toText } from "./output-lines.ts";

/** Distance in pixels from the end that still counts as the end. */
const nearEnd = 30;

/** The output of a run. It follows the end until the user scrolls up. */
export function RunOutput({ run, lines }: { run: Run; lines: OutputLines }) {
  const box = useRef<HTMLElement>(null);
  const [follows, setFollows] = useState(true);
  const isRunning = run.status === "running";
  useLayoutEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines, follows]);

  function watchScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    setFollows(scrollHeight - scrollTop - clientHeight < nearEnd);
  }

  const text = () => toText(lines);
  return (
    <section class="run-output" aria-labelledby="run-output-title">
      <header class="row gap-2">
        <h3 class="first" id="run-output-title">
          Output
        </h3>
        {!follows && isRunning && (
          <Button class="button plain follow" icon="down" onClick={() => setFollows(true)}>
            Follow output
          </Button>
        )}
        <CopyButton name="Copy the output" text={text} />
        <IconButton
          name="Download the output as text"
          icon="download"
          onClick={() => downloadText(`${toFileName(run.job_id)}-${toFileName(run.id)}.txt`, text())}
        />
      </header>
      <section
        class="run-lines box mono"
        ref={box}
        onScroll={watchScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        aria-label="Output of the run"
      >
        {lines.dropped > 0 && <p class="hint">{formatWhole(lines.dropped)} earlier lines are not shown.</p>}
        {lines.pieces.map((piece) => (
          <Lines key={piece.key} piece={piece} />
        ))}
        {lines.pieces.length === 0 && <p class="hint">{isRunning ? "No output yet." : "No output."}</p>}
      </section>
    </section>
  );
}

/** Renders only if its piece has changed. */
class Lines extends Component<{ readonly piece: Piece }> {
  override shouldComponentUpdate(next: { readonly piece: Piece }): boolean {
    return next.piece !== this.props.piece;
  }

  override render() {
    const { lines } = this.props.piece;
    return (
      <ol class="run-piece">
        {withoutSteps(lines).map(({ number, level, message }) => (
          <li key={number} class={`run-line level-${level}`}>
            <span class="run-level">{level}</span>
            <span class="run-message">{message}</span>
          </li>
        ))}
      </ol>
    );
  }
}

/** Omits all but the last of consecutive progress lines; the bar shows the progress. */
function withoutSteps(lines: readonly OutputLine[]): readonly OutputLine[] {
  const isStep = (line: OutputLine | undefined) => line?.level === "progress" && /^\d+%$/.test(line.message);
  return lines.filter((line, index) => !(isStep(line) && isStep(lines[index + 1])));
}
