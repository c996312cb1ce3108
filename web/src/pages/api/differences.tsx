import type {
  ApiOverview,
  Difference,
  OperationDiff,
  SchemaDiff,
  VersionDiff,
} from "../../../../src/features/docs/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge, Method, Status, type Tone } from "../../ui/status.tsx";
import type { StatsByRoute } from "./route-stats.ts";
import { TextWithCode } from "./text-with-code.tsx";

interface DifferencesProps {
  readonly overview: ApiOverview;
  readonly chosen: string;
  readonly stats: StatsByRoute | undefined;
}

/** The changes between two versions, for clients that migrate. */
export function Differences({ overview, chosen, stats }: DifferencesProps) {
  const labels = overview.versions.filter(({ enabled }) => enabled).map(({ version }) => version);
  const ends = endsOf(labels, overview.default_version, chosen);
  const diff = useQuery(ends ? "/_/_/data/api-diff" : null, { ...ends });
  if (!ends) {
    return (
      <Panel title="Differences">
        <Empty icon="api" title="There is only one version">
          Once a second one is registered and documented, this shows what changed between them and what breaks
          clients.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Differences" actions={<Ends labels={labels} {...ends} />}>
      <Loaded query={diff} lines={6}>
        {(data) => <DiffView diff={data} stats={stats} />}
      </Loaded>
    </Panel>
  );
}

interface EndsPair {
  readonly from: string;
  readonly to: string;
}

/** Defaults to the difference between the selected and the default version. (`from` and `to` are times.) */
function endsOf(labels: readonly string[], standard: string, chosen: string): EndsPair | undefined {
  if (labels.length < 2) return undefined;
  const known = (name: string) => labels.find((label) => label === param(name));
  const to = known("to_version") ?? (labels.includes(standard) ? standard : labels.at(-1)!);
  const others = labels.filter((label) => label !== to);
  const from = known("from_version") ?? (others.includes(chosen) ? chosen : others.at(-1)!);
  return { from, to };
}

function Ends({ labels, from, to }: EndsPair & { labels: readonly string[] }) {
  const choose = (ends: EndsPair) => setParams({ from_version: ends.from, to_version: ends.to });
  return (
    <>
      <VersionSelect
        name="From"
        labels={labels}
        value={from}
        onChoose={(next) => choose({ from: next, to })}
      />
      <VersionSelect name="To" labels={labels} value={to} onChoose={(next) => choose({ from, to: next })} />
      <Button icon="requests" onClick={() => choose({ from: to, to: from })}>
        Swap
      </Button>
    </>
  );
}

interface VersionSelectProps {
  readonly name: string;
  readonly labels: readonly string[];
  readonly value: string;
  onChoose(label: string): void;
}

function VersionSelect({ name, labels, value, onChoose }: VersionSelectProps) {
  return (
    <label class="row inline medium">
      {name}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {labels.map((label) => (
          <option key={label}>{label}</option>
        ))}
      </select>
    </label>
  );
}

function DiffView({ diff, stats }: { diff: VersionDiff; stats: StatsByRoute | undefined }) {
  const { from, to, changes, breaking, operations, schemas } = diff;
  if (operations.length + schemas.length === 0) {
    return (
      <Empty icon="good" title={`${from} and ${to} are the same`}>
        All operations and schemas are identical.
      </Empty>
    );
  }
  return (
    <>
      <p class="diff-summary cluster baseline gap-16">
        <Status tone={breaking > 0 ? "bad" : "good"}>
          {breaking === 0
            ? "No breaking changes"
            : `${breaking} breaking ${breaking === 1 ? "change" : "changes"}`}
        </Status>
        <span>
          <b>{changes - breaking}</b> {changes - breaking === 1 ? "other change" : "other changes"}
        </span>
        <span>Operations: {countWords(operations)}</span>
        <span>Schemas: {countWords(schemas)}</span>
      </p>
      <section class="diff-part">
        <h3>Operations</h3>
        <ul class="diff divided">
          {inOrder(operations, ({ path, method }) => `${path} ${method}`).map((each) => (
            <OperationChange key={`${each.method} ${each.path}`} diff={each} ends={diff} stats={stats} />
          ))}
        </ul>
      </section>
      <section class="diff-part">
        <h3>Schemas</h3>
        <ul class="diff divided">
          {inOrder(schemas, ({ name }) => name).map((each) => (
            <li key={each.name} class="stack gap-2">
              <p class="diff-line cluster">
                <ChangeWord diff={each} />
                <a class="mono" href={schemaHref(each, diff)}>
                  {each.name}
                </a>
              </p>
              <Sentences diff={each} about={each.name} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function countWords(all: readonly Difference[]): string {
  const kinds = ["removed", "changed", "added"] as const;
  const words = kinds.flatMap((kind) => {
    const count = all.filter(({ change }) => change === kind).length;
    return count > 0 ? [`${count} ${kind}`] : [];
  });
  return words.length > 0 ? words.join(", ") : "no changes";
}

const kindOrder = ["removed", "changed", "added"];

/** Breaking changes come first. */
function inOrder<T extends Difference>(all: readonly T[], nameOf: (each: T) => string): T[] {
  return [...all].sort(
    (one, other) =>
      Number(other.breaking) - Number(one.breaking) ||
      kindOrder.indexOf(one.change) - kindOrder.indexOf(other.change) ||
      nameOf(one).localeCompare(nameOf(other)),
  );
}

interface OperationChangeProps {
  readonly diff: OperationDiff;
  readonly ends: EndsPair;
  readonly stats: StatsByRoute | undefined;
}

function OperationChange({ diff, ends, stats }: OperationChangeProps) {
  const { method, path, from_route, to_route } = diff;
  const calls = (diff.breaking && from_route && stats?.get(from_route)?.count) || 0;
  return (
    <li class="stack gap-2">
      <p class="diff-line cluster">
        <ChangeWord diff={diff} />
        <Method method={method} />
        <code>{path}</code>
        {diff.breaking && <Badge tone="bad">breaks clients</Badge>}
        {calls > 0 && (
          <Badge tone="warn">
            {formatCount(calls)} {calls === 1 ? "call" : "calls"} of {ends.from} in this window
          </Badge>
        )}
        <span class="row inline push">
          {from_route && <a href={hrefTo("api", { version: ends.from, op: from_route })}>in {ends.from}</a>}
          {to_route && <a href={hrefTo("api", { version: ends.to, op: to_route })}>in {ends.to}</a>}
        </span>
      </p>
      <Sentences diff={diff} about={`${method} ${path}`} />
    </li>
  );
}

function ChangeWord({ diff: { change, breaking } }: { diff: Difference }) {
  const tone: Tone = change === "added" ? "good" : breaking ? "bad" : change === "removed" ? "warn" : "info";
  return <Status tone={tone}>{change}</Status>;
}

/** Links a removed schema to the version that has it. */
function schemaHref({ name, change }: SchemaDiff, { from, to }: EndsPair): string {
  return hrefTo("api", { version: change === "removed" ? from : to, tab: "schemas", schema: name });
}

/** Omits sentences that repeat the line above. */
function Sentences({ diff, about }: { diff: Difference; about: string }) {
  const news = diff.changes
    .filter(({ message }) => message !== `${about} added` && message !== `${about} removed`)
    .sort((one, other) => Number(other.breaking) - Number(one.breaking));
  if (news.length === 0) return null;
  return (
    <ul class="sentences stack gap-1">
      {news.map(({ message, breaking }) => (
        <li key={message} class={breaking ? "bad" : ""}>
          {breaking && <span class="visually-hidden">Breaking: </span>}
          <TextWithCode
            text={capitalised(message.startsWith(`${about}: `) ? message.slice(about.length + 2) : message)}
          />
        </li>
      ))}
    </ul>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
