import { useMemo } from "preact/hooks";
import type { ErrorDetail } from "../../../../src/features/metrics/wire.ts";
import { timesOf } from "../../charts/request-lines.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { HttpError } from "../../data/api.ts";
import { formatCount, formatStep } from "../../format/numbers.ts";
import { formatMoment } from "../../format/times.ts";
import { hrefHere } from "../../state/address.ts";
import { hasSeveral } from "../../state/fleet/instances.ts";
import { useQuery } from "../../state/query.ts";
import { windowParams } from "../../state/time-window.ts";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { Badge } from "../../ui/status.tsx";
import { Ago } from "../../ui/time.tsx";
import { Causes } from "./causes.tsx";
import { CopyTextButton } from "./copy-text-button.tsx";
import { instancesOf } from "./instances-of.ts";
import { Origins } from "./origins.tsx";
import { toMarkdown, toText } from "./report.ts";
import { Samples } from "./samples.tsx";
import { Stack } from "./stack.tsx";

interface ErrorDrawerProps {
  readonly fingerprint: string;
  onClose(): void;
}

/** The details of one error group. */
export function ErrorDrawer({ fingerprint, onClose }: ErrorDrawerProps) {
  const params = { ...windowParams.value, fingerprint, points: 60 };
  const query = useQuery("/_/_/data/errors/{fingerprint}", params);
  const { data, error } = query;
  const isGone = error instanceof HttpError && error.status === 404;
  return (
    <Dialog
      kind="drawer"
      title={data?.type ?? "Error"}
      onClose={onClose}
      {...(data && { footer: <Copies error={data} /> })}
    >
      {isGone ? (
        <Empty icon="errors" title="This error is unknown">
          Errors that have not occurred for a long time are deleted. The link may also be from another
          installation.
        </Empty>
      ) : (
        <Loaded query={query} lines={10}>
          {(detail) => <Detail error={detail} />}
        </Loaded>
      )}
    </Dialog>
  );
}

function Copies({ error }: { error: ErrorDetail }) {
  return (
    <>
      <CopyTextButton name="Copy stack" text={() => toText(error)} />
      <CopyTextButton
        name="Copy for an issue"
        look="primary"
        text={() => toMarkdown(error, window.location.href)}
      />
    </>
  );
}

function Detail({ error }: { error: ErrorDetail }) {
  return (
    <>
      <p class="error-full-message failure">{error.message || "No message."}</p>
      <dl class="facts">
        <dt>Where</dt>
        <dd>
          <Origins {...error} />
        </dd>
        <dt>Count</dt>
        <dd>
          {formatCount(error.count)} in this window, {formatCount(error.total)} in total{" "}
          {error.has_earlier && error.is_new && <Badge tone="bad">New in this window</Badge>}
        </dd>
        {hasSeveral.value && instancesOf(error).length > 0 && (
          <>
            <dt>Instances</dt>
            <dd class="cluster gap-8">
              {instancesOf(error).map(({ instance, count }) => (
                <span key={instance}>
                  <a href={hrefHere({ instance })}>{instance}</a> ×{formatCount(count)}
                </span>
              ))}
            </dd>
          </>
        )}
        <dt>First seen</dt>
        <dd>
          {formatMoment(error.first_seen)}, <Ago time={error.first_seen} />
        </dd>
        <dt>Last seen</dt>
        <dd>
          {formatMoment(error.last_seen)}, <Ago time={error.last_seen} />
        </dd>
      </dl>
      <Course error={error} />
      <section class="stack gap-4">
        <h3>Stack</h3>
        <Stack stack={error.stack} message={error.message} />
      </section>
      <Causes causes={error.causes} />
      <section class="stack gap-4">
        <h3>Traces</h3>
        <Samples error={error} />
      </section>
    </>
  );
}

function Course({ error }: { error: ErrorDetail }) {
  const times = useMemo(() => timesOf(error, error.series.length), [error]);
  const lines = useMemo(() => [{ label: "Errors", colour: "red", values: error.series } as const], [error]);
  return (
    <TimeChart
      title={`Errors per ${formatStep(error.step_ms)}`}
      times={times}
      lines={lines}
      format={formatCount}
      height={120}
      least={4}
      isBars
    />
  );
}
