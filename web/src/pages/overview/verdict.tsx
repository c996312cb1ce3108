import { failedShare } from "../../data/figures.ts";
import { useQuery } from "../../data/query.ts";
import type { RequestSeries } from "../../data/shapes.ts";
import { formatMs, formatPercent, formatRate, formatSpan } from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { connection, seconds, snapshot } from "../../state/live.ts";
import { Status, type Tone } from "../../ui/status.tsx";
import { useNow } from "../../ui/time.tsx";
import { recentRate } from "./figures.ts";

const words: Readonly<Record<string, { word: string; tone: Tone }>> = {
  healthy: { word: "Healthy", tone: "good" },
  degraded: { word: "Degraded", tone: "warn" },
  failing: { word: "Failing", tone: "bad" },
  draining: { word: "Shutting down", tone: "warn" },
};

interface NextJob {
  readonly id: string;
  readonly name: string;
  readonly next_run?: string;
}

/** The one line: how it is, since when, and what comes next. */
export function Verdict({ requests }: { requests: RequestSeries | undefined }) {
  const known = snapshot.value;
  const verdict = seconds.value.at(-1)?.verdict ?? known?.verdict;
  const { word, tone } = wordsFor(verdict?.status);
  const totals = requests?.totals;
  const reasons = verdict?.reasons ?? [];
  return (
    <section class={`verdict ${tone}`} aria-label="How it is">
      <p class="verdict-line">
        <Status tone={tone}>{word}</Status>
        <Uptime />
        {seconds.value.length > 0 && <span>{formatRate(recentRate(seconds.value))} req/s</span>}
        {totals?.p95_ms !== undefined && <span>p95 {formatMs(totals.p95_ms)}</span>}
        {totals && <span>{formatPercent(failedShare(totals))} errors</span>}
        <NextRun />
      </p>
      {reasons.length > 0 && (
        <ul class="verdict-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function wordsFor(status: string | undefined): { word: string; tone: Tone } {
  if (connection.value === "lost") return { word: "Not reachable", tone: "bad" };
  if (status === undefined) return { word: "Looking…", tone: "busy" };
  return words[status] ?? { word: status, tone: "warn" };
}

function Uptime() {
  const now = useNow();
  const known = snapshot.value;
  if (!known) return null;
  return <span>up {formatSpan(known.health.uptime_seconds * 1_000 + Math.max(0, now - known.now))}</span>;
}

/** What the schedules bring next, jobs of Annex itself left out. */
function NextRun() {
  const now = useNow();
  const { data } = useQuery<readonly NextJob[]>(
    "/_/_/data/cron/jobs?show_system=false",
    {},
    { every: 30_000 },
  );
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
