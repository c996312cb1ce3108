import type { Change } from "../../../../../src/features/settings/wire.ts";
import { describeChange } from "../../../data/audit-log.ts";
import { downloadCsv } from "../../../data/csv.ts";
import { formatValue } from "../../../format/values.ts";
import { param, setParams } from "../../../state/address.ts";
import { mostChanges } from "../../../state/audit-log.ts";
import { useQuery } from "../../../state/query.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Empty, Loaded } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import {
  changeParams,
  chosenGroup,
  isOfAllTime,
  type KindGroup,
  kindGroups,
  program,
} from "./change-filter.ts";
import { ChangeList } from "./change-list.tsx";

/** The audit log: users, actions and times. */
export function AuditLog() {
  const isAll = isOfAllTime();
  const query = useQuery("/_/_/data/changes", changeParams(), isAll ? { every: 5_000 } : {});
  const found = query.data?.changes ?? [];
  const shown = found.filter(isByChosen);
  return (
    <Panel
      title="Audit log"
      hint="User actions and application events. Stored for 400 days."
      actions={
        <Button icon="download" disabled={shown.length === 0} onClick={() => download(shown)}>
          CSV
        </Button>
      }
    >
      <Filters actors={new Set(found.map(actorOf))} />
      <Loaded query={query} lines={8}>
        {() => (shown.length === 0 ? <NoChanges isAll={isAll} /> : <ChangeList changes={shown} />)}
      </Loaded>
      <Older found={found} />
    </Panel>
  );
}

const actorOf = ({ actor }: Change) => actor ?? program;

function isByChosen(change: Change): boolean {
  const wanted = param("actor");
  return wanted === undefined || actorOf(change) === wanted;
}

const groupOptions = [
  { value: "all", label: "All" },
  ...(Object.keys(kindGroups) as KindGroup[]).map((value) => ({ value, label: kindGroups[value].label })),
] as const;

const spanOptions = [
  {
    value: "window",
    label: "This window",
    title: "In the time window selected above",
  },
  { value: "all", label: "All time", title: "All stored changes, newest first" },
] as const;

function Filters({ actors }: { actors: ReadonlySet<string> }) {
  const actor = param("actor");
  const names = [...new Set([...actors, ...(actor === undefined ? [] : [actor])])].sort();
  return (
    <div class="toolbar">
      <Choice
        name="Time"
        value={isOfAllTime() ? "all" : "window"}
        options={spanOptions}
        onChoose={(span) => setParams({ span, before: undefined, change: undefined })}
      />
      <Choice
        name="Kind"
        value={chosenGroup() ?? "all"}
        options={groupOptions}
        onChoose={(kind) => setParams({ kind: kind === "all" ? undefined : kind, before: undefined })}
      />
      <label class="config-actor row inline">
        By
        <select value={actor ?? ""} onChange={(event) => setParams({ actor: event.currentTarget.value })}>
          <option value="">any user</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name === program ? "the application" : name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function NoChanges({ isAll }: { isAll: boolean }) {
  const isFiltered = chosenGroup() !== undefined || param("actor") !== undefined;
  const showAll = () => setParams({ span: "all", kind: undefined, actor: undefined, before: undefined });
  return (
    <Empty
      icon="config"
      title={isAll && !isFiltered ? "Nothing has been recorded yet" : "No matching changes in this period"}
      action={(isFiltered || !isAll) && <Button onClick={showAll}>Show everything</Button>}
    >
      Starts and stops, setting changes, manual job actions and account changes appear here, with the
      responsible user.
    </Empty>
  );
}

/** Links to older entries if the response is truncated, and back to the newest. */
function Older({ found }: { found: readonly Change[] }) {
  const oldest = found.at(-1);
  const isCut = found.length >= mostChanges && oldest !== undefined;
  if (!isCut && param("before") === undefined) return null;
  return (
    <div class="actions push">
      {isCut && (
        <p class="hint">
          Only the newest {mostChanges} changes in this period are loaded. The user filter applies only to
          them.
        </p>
      )}
      {param("before") !== undefined && (
        <Button onClick={() => setParams({ before: undefined })}>Back to newest</Button>
      )}
      {isCut && (
        <Button onClick={() => setParams({ before: oldest.at, span: isOfAllTime() ? "all" : "window" })}>
          Show older
        </Button>
      )}
    </div>
  );
}

const columns = ["time", "who", "kind", "subject", "before", "after", "detail", "instance", "sentence"];

function download(changes: readonly Change[]): void {
  const value = (given: unknown) => (given === null ? null : formatValue(given));
  const rows = changes.map((change) => [
    new Date(change.at).toISOString(),
    actorOf(change),
    change.kind,
    change.subject,
    value(change.before),
    value(change.after),
    value(change.detail ?? null),
    change.instance,
    describeChange(change),
  ]);
  downloadCsv(`changes-${new Date().toISOString().slice(0, 10)}.csv`, columns, rows);
}
