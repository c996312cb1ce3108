import type { ComponentChildren } from "preact";
import type { Recording } from "../../../../src/features/logging/wire.ts";
import { formatPercent } from "../../format/numbers.ts";
import { formatClock } from "../../format/times.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { changeLogLevel, useLogLevel } from "../../state/log-level.ts";
import { Button } from "../../ui/controls/button.tsx";
import { confirm } from "../../ui/feedback/dialog.tsx";
import { attempt } from "../../ui/feedback/toast.tsx";
import { Icon } from "../../ui/icon.tsx";

const minutes = 15;

/** Explains why older requests are missing, and how to store requests from now on. */
export function RecordingNote({
  recording,
  onChange,
}: {
  recording: Recording | undefined;
  onChange(): void;
}) {
  const level = useLogLevel();
  if (!recording) return null;
  if (!recording.stored) {
    return (
      <Note>
        Records are not stored here (log.store is false), so only the last thousand requests are shown.
      </Note>
    );
  }
  if (recording.requests && recording.sample < 1) {
    return (
      <Note>
        {formatPercent(recording.sample)} of successful, fast requests are logged (log.sample), and all
        others.
      </Note>
    );
  }
  const until = level.data?.until;
  if (level.data?.value === "debug" || (recording.requests && !level.data)) {
    return until ? (
      <Note>{`Every request is recorded until ${formatClock(until)}; then the level reverts to ${level.data?.initial}.`}</Note>
    ) : null;
  }
  async function record(): Promise<void> {
    const wanted = await confirm({
      title: `Record every request for ${minutes} minutes?`,
      body: (
        <p>
          This sets the log level to debug: each request is written to the log and stored, and so is
          everything else logged at debug. It takes some disk space and slows the application down by a few
          percent. After {minutes} minutes, the level reverts to {level.data?.initial ?? recording?.level}{" "}
          automatically.
        </p>
      ),
      action: "Record",
    });
    if (!wanted) return;
    await attempt(
      async () => void (await changeLogLevel("debug", minutes)),
      `Every request is recorded for ${minutes} minutes.`,
    );
    level.reload();
    onChange();
  }
  return (
    <Note>
      At level {level.data?.value ?? recording.level} requests are not stored. You see{" "}
      {hasSeveral.value
        ? "up to a thousand recent requests of each instance"
        : "the last thousand requests of this instance"}
      , and older ones that were recorded.{" "}
      <Button onClick={record}>Record every request for {minutes} minutes</Button>
    </Note>
  );
}

function Note({ children }: { children: ComponentChildren }) {
  return (
    <div class="note alert info">
      <Icon name="info" />
      <p>{children}</p>
    </div>
  );
}
