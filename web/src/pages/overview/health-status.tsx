import type { HealthReason, RequestSeries, RequestStats } from "../../../../src/features/metrics/wire.ts";
import { failedShare } from "../../charts/request-lines.ts";
import { formatMs, formatPercent, formatRate, formatSpan } from "../../format/numbers.ts";
import { formatClock } from "../../format/times.ts";
import { hrefTo, type PageName, param } from "../../state/address.ts";
import { isChosenGone, liveHealth, liveMembers, liveRate } from "../../state/fleet/members.ts";
import { connection, isCutOff, seconds, snapshot } from "../../state/live.ts";
import { useQuery } from "../../state/query.ts";
import { isLive, timeWindow } from "../../state/time-window.ts";
import { Status, type Tone } from "../../ui/status.tsx";
import { useNow } from "../../ui/time.tsx";
import { meanRate } from "./stats.ts";

const words: Readonly<Record<string, { word: string; tone: Tone }>> = {
  healthy: { word: "Healthy", tone: "good" },
  degraded: { word: "Degraded", tone: "warn" },
  failing: { word: "Failing", tone: "bad" },
  draining: { word: "Shutting down", tone: "warn" },
};

/** Health status with its reasons, and the next run. A paused page shows the status of its window. */
export function HealthStatus({ requests }: { requests: RequestSeries | undefined }) {
  const known = snapshot.value;
  const { from, to } = timeWindow.value;
  const past = useQuery(isLive.value ? null : "/_/_/data/health", { from, to, instance: param("instance") });
  const verdict = isLive.value ? liveHealth.value : past.data;
  const { word, tone } = wordsFor(verdict?.status);
  const reasons = verdict?.reasons ?? [];
  const rate = isLive.value ? liveRate.value : requests && meanRate(requests);
  return (
    <section class={`verdict card stack gap-4 ${tone}`} aria-label="Health">
      <p class="verdict-line cluster baseline gap-16">
        <Status tone={tone}>{word}</Status>
        {!isLive.value && <span class="hint">in this window</span>}
        {isCutOff.value && known && (
          <span class="hint">as of {formatClock(seconds.value.at(-1)?.time ?? known.now)}</span>
        )}
        {isLive.value && (liveMembers.value.length > 1 ? <MemberCount /> : <Uptime />)}
        {rate !== undefined && known && <span>{formatRate(rate)} req/s</span>}
        <WindowTotals totals={requests?.totals} />
        {isLive.value && <NextRun />}
      </p>
      {reasons.length > 0 && (
        <ul class="stack gap-2">
          {reasons.map((reason) => (
            <Reason key={reason.id} reason={reason} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Until they are known, dashes keep what follows in its place. */
function WindowTotals({ totals }: { totals: RequestStats | undefined }) {
  const isWithoutRequests = totals && totals.p95_ms === undefined;
  return (
    <>
      {!isWithoutRequests && <span>p95 {totals?.p95_ms === undefined ? "–" : formatMs(totals.p95_ms)}</span>}
      <span>{totals ? formatPercent(failedShare(totals)) : "–"} errors</span>
    </>
  );
}

/** What is wrong, with a link to its cause, and since when. */
function Reason({ reason }: { reason: HealthReason }) {
  const { message, since, until, link } = reason;
  const now = useNow();
  return (
    <li class={`verdict-reason ${reason.status}`}>
      {link ? <a href={hrefTo(link.page as PageName, link.params)}>{message}</a> : message}{" "}
      <span class="hint">
        {until === undefined
          ? `since ${formatClock(since)} (${formatSpan(Math.max(0, now - since))})`
          : `${formatClock(since)} to ${formatClock(until)}`}
      </span>
    </li>
  );
}

function wordsFor(status: string | undefined): { word: string; tone: Tone } {
  if (isLive.value && isChosenGone.value) return { word: "Not running", tone: "quiet" };
  if (connection.value === "lost") return { word: "Not reachable", tone: "bad" };
  if (status === undefined) return { word: "Checking…", tone: "busy" };
  return words[status] ?? { word: status, tone: "warn" };
}

function MemberCount() {
  return <span>{liveMembers.value.length} instances</span>;
}

function Uptime() {
  const now = useNow();
  const known = snapshot.value;
  const [member] = liveMembers.value;
  if (!known || !member) return null;
  if (member.instance !== known.instance)
    return member.verdict ? <span>up {formatSpan(member.verdict.uptime_seconds * 1_000)}</span> : null;
  const until = isCutOff.value ? (seconds.value.at(-1)?.time ?? known.now) : now;
  const since = Math.max(0, until - known.now);
  return <span>up {formatSpan(known.health.uptime_seconds * 1_000 + since)}</span>;
}

/** The next scheduled run, without Annex's own jobs. */
function NextRun() {
  const now = useNow();
  const { data } = useQuery("/_/_/data/cron/jobs", { show_system: "false" }, { every: 60_000 });
  const [next] = (data ?? [])
    .flatMap(({ id, name, next_run }) => (next_run ? [{ id, name, at: Date.parse(next_run) }] : []))
    .filter(({ at }) => at > now)
    .sort((one, other) => one.at - other.at);
  if (!next) return null;
  return (
    <a href={hrefTo("cron", { job: next.id })}>
      {next.name} in {formatSpan(next.at - now)}
    </a>
  );
}
