import "./comparison.css";
import type { RouteTable } from "../../../src/features/metrics/wire.ts";
import { Meter } from "../charts/meter.tsx";
import { failedShare } from "../charts/request-lines.ts";
import { describeChange } from "../data/audit-log.ts";
import { markerKindOf } from "../data/markers.ts";
import { formatCount, formatMs, formatPercent, formatSpan } from "../format/numbers.ts";
import { formatMoment } from "../format/times.ts";
import { saveIncident } from "../incident/save-incident.ts";
import { hrefTo, param, setParams } from "../state/address.ts";
import { mostChanges } from "../state/audit-log.ts";
import { type QueryOptions, useQuery } from "../state/query.ts";
import { chooseWindow } from "../state/time-window.ts";
import { Button } from "../ui/controls/button.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { Dialog } from "../ui/feedback/dialog.tsx";
import { Empty, Loaded, Loading } from "../ui/feedback/notice.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Moment } from "../ui/time.tsx";
import { type Finding, findDifferences } from "./findings.ts";
import {
  type Length,
  lengths,
  type Periods,
  periodsAround,
  periodsOf,
  readSubject,
  usualLength,
} from "./periods.ts";

/** What differs between a period and the one before it, or before and after a moment. The subject is in the URL. */
export function ComparisonDrawer({ text }: { text: string }) {
  const subject = readSubject(text);
  const close = () => setParams({ changed: undefined, span: undefined });
  if (!subject) {
    return (
      <Dialog title="What changed" kind="drawer" onClose={close}>
        <Empty title="This link has no valid time">Select a period on a chart, or a marker.</Empty>
      </Dialog>
    );
  }
  const { at, until } = subject;
  const now = Math.floor(Date.now() / 15_000) * 15_000;
  const length = chosenLength() ?? usualLength(at, now);
  const periods = until === undefined ? periodsAround(at, length, now) : periodsOf({ from: at, to: until });
  const footer = (
    <>
      <Button
        icon="download"
        class="button plain first"
        title="A file to share: charts, errors, requests, log records, runs and changes. It opens without the server."
        onClick={() => saveIncident(periods.after, "html")}
      >
        Incident file
      </Button>
      <Button icon="search" onClick={() => show(periods)}>
        Show both periods in the charts
      </Button>
    </>
  );
  return (
    <Dialog
      title={until === undefined ? `Before and after ${formatMoment(at)}` : "What changed"}
      kind="drawer"
      onClose={close}
      footer={footer}
    >
      <p class="cluster gap-8">
        <span>
          {describePeriod(periods.after)}, compared with {describePeriod(periods.before)}
        </span>
        {until === undefined && (
          <Choice
            name="Length of the periods"
            value={length}
            options={lengthOptions}
            onChoose={(value) => setParams({ span: value }, { replace: true })}
          />
        )}
      </p>
      <Changes periods={periods} />
      <Differences periods={periods} />
    </Dialog>
  );
}

const lengthOptions = (Object.keys(lengths) as Length[]).map((value) => ({ value, label: value }));

function chosenLength(): Length | undefined {
  const name = param("span");
  return name !== undefined && name in lengths ? (name as Length) : undefined;
}

function describePeriod({ from, to }: Periods["after"]): string {
  return `${formatMoment(from)} – ${formatMoment(to)} (${formatSpan(to - from)})`;
}

function show({ before, after }: Periods): void {
  setParams({ changed: undefined, span: undefined });
  chooseWindow({ from: before.from, to: after.to });
}

/** Releases, restarts, crashes and setting changes of both periods, those nearest to the border first. */
function Changes({ periods: { before, after } }: { periods: Periods }) {
  const query = useQuery("/_/_/data/changes", { from: before.from, to: after.to, limit: mostChanges });
  const distance = (time: number) => Math.abs(time - after.from);
  return (
    <section class="stack gap-4">
      <h3>Releases, restarts and settings</h3>
      <Loaded query={query} lines={2}>
        {({ changes }) => {
          const shown = changes
            .filter((change) => markerKindOf(change) !== undefined)
            .sort((one, other) => distance(one.at) - distance(other.at))
            .slice(0, 10);
          if (shown.length === 0) return <p class="hint">None in either period.</p>;
          return (
            <ul class="divided">
              {shown.map((change) => (
                <li key={change.id} class="row gap-8">
                  <span class={`flag-dot ${markerKindOf(change)}`} aria-hidden />
                  <a class="grow wrap" href={hrefTo("config", { tab: "changes", change: change.id })}>
                    {describeChange(change)}
                  </a>
                  <span class="hint">
                    <Moment time={change.at}>{formatMoment(change.at)}</Moment>
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

/** A period that is not over changes, even if the page is paused. */
function refreshOf({ after }: Periods): QueryOptions {
  const isOver = after.to < Date.now() - writtenMs;
  return isOver ? {} : { every: 5_000, evenPaused: true };
}

/** After this time, all instances have written the metrics of a moment. */
const writtenMs = 30_000;

function Differences({ periods }: { periods: Periods }) {
  const { before, after } = periods;
  const instance = param("instance");
  const was = { ...before, instance };
  const is = { ...after, instance };
  const system = { names: "process.cpu_ratio", points: 1 };
  const fresh = refreshOf(periods);
  const data = {
    routes: sides(useQuery("/_/_/data/routes", was), useQuery("/_/_/data/routes", is, fresh)),
    errors: sides(useQuery("/_/_/data/errors", was), useQuery("/_/_/data/errors", is, fresh)),
    runs: sides(
      useQuery("/_/_/data/cron/timeline", { ...before }),
      useQuery("/_/_/data/cron/timeline", { ...after }, fresh),
    ),
    clients: sides(useQuery("/_/_/data/logs/clients", was), useQuery("/_/_/data/logs/clients", is)),
    system: sides(
      useQuery("/_/_/data/system", { ...was, ...system }),
      useQuery("/_/_/data/system", { ...is, ...system }),
    ),
  };
  const { routes, errors, runs, clients, system: instances } = data;
  if (!routes || !errors || !runs || !clients || !instances) return <Loading lines={8} />;
  const found = findDifferences({
    routes: { before: routes.before.routes, after: routes.after.routes },
    errors: { before: errors.before.errors, after: errors.after.errors },
    runs: { before: runs.before.runs, after: runs.after.runs },
    clients: { before: clients.before.clients, after: clients.after.clients },
    instances: { before: instances.before.summary, after: instances.after.summary },
  });
  return (
    <>
      <Totals {...routes} />
      <section class="stack gap-4">
        <h3>What differs most</h3>
        {found.length === 0 ? (
          <Empty icon="good" title="Nothing differs clearly">
            Error rates, latencies, request counts, jobs, clients and instances are as before, within chance.
          </Empty>
        ) : (
          <ol class="differences divided">
            {found.slice(0, 20).map((finding) => (
              <Difference key={finding.id} finding={finding} />
            ))}
          </ol>
        )}
        {!(clients.before.complete && clients.after.complete) && (
          <p class="hint">
            Clients: only the newest {formatCount(clients.after.counted)} logged requests of a period were
            counted.
          </p>
        )}
      </section>
    </>
  );
}

/** Both responses, once they have arrived. */
function sides<T>(
  before: { readonly data: T | undefined },
  after: { readonly data: T | undefined },
): { readonly before: T; readonly after: T } | undefined {
  return before.data && after.data ? { before: before.data, after: after.data } : undefined;
}

function Totals({
  before: { totals: was },
  after: { totals: is },
}: {
  before: RouteTable;
  after: RouteTable;
}) {
  const ms = (value: number | undefined) => (value === undefined ? "–" : formatMs(value));
  return (
    <dl class="stats cluster gap-16">
      <Total name="Requests" is={formatCount(is.count)} was={formatCount(was.count)} />
      <Total name="Errors" is={formatPercent(failedShare(is))} was={formatPercent(failedShare(was))} />
      <Total name="p50" is={ms(is.p50_ms)} was={ms(was.p50_ms)} />
      <Total name="p95" is={ms(is.p95_ms)} was={ms(was.p95_ms)} />
      <Total name="p99" is={ms(is.p99_ms)} was={ms(was.p99_ms)} />
    </dl>
  );
}

function Total({ name, is, was }: { name: string; is: string; was: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {is} <span class="hint">before {was}</span>
      </dd>
    </div>
  );
}

const icons: Readonly<Record<Finding["kind"], IconName>> = {
  route: "requests",
  error: "errors",
  job: "cron",
  client: "people",
  instance: "overview",
};

function Difference({ finding }: { finding: Finding }) {
  const { kind, title, changes, share, of, page, params } = finding;
  return (
    <li class="difference">
      <Icon name={icons[kind]} label={kind} />
      <span class="stack gap-1">
        <a class="medium wrap" href={hrefTo(page, params)}>
          {title}
        </a>
        {changes.map((change) => (
          <span key={change} class="hint">
            {change}
          </span>
        ))}
      </span>
      <span class="share stack gap-2 hint">
        <Meter ratio={share} label={`Share of the difference in ${of}`} colour="blue" />
        {formatPercent(share)} of {of}
      </span>
    </li>
  );
}
