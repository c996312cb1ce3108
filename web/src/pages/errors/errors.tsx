import "./errors.css";
import type { ErrorSummary, ErrorTable } from "../../../../src/features/metrics/wire.ts";
import { downloadCsv } from "../../data/csv.ts";
import { param, setParams } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { choosePreset, presets, timeWindow, windowParams } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice } from "../../ui/controls/choice.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { ErrorDrawer } from "./error-drawer.tsx";
import { ErrorList } from "./error-list.tsx";
import { instancesOf } from "./instances-of.ts";
import { arrange, chosenOrder, isNewOnly, type Order, orders } from "./order.ts";
import { Volume } from "./volume.tsx";

/** Errors grouped by type, location and origin. */
export function Errors() {
  const query = useQuery("/_/_/data/errors", { ...windowParams.value, text: param("q"), points: 60 });
  const fingerprint = param("error");
  const errors = arrange(query.data?.errors ?? []);
  return (
    <>
      <PageHead title="Errors">
        <Button icon="download" disabled={errors.length === 0} onClick={() => download(errors)}>
          CSV
        </Button>
      </PageHead>
      <div class="toolbar filled">
        <SearchField label="Search the errors" placeholder="Type, message, route or job" />
        {query.data?.has_earlier !== false && <NewOnly errors={query.data?.errors} />}
        <div class="row push">
          <span class="hint" aria-hidden>
            Sorted by
          </span>
          <Choice
            name="Order"
            value={chosenOrder()}
            options={orderOptions}
            onChoose={(order) =>
              setParams({ sort: order === "count" ? undefined : order }, { replace: true })
            }
          />
        </div>
      </div>
      <Loaded query={query} lines={8}>
        {(table) => (errors.length === 0 ? <Nothing /> : <Found table={table} errors={errors} />)}
      </Loaded>
      {fingerprint !== undefined && (
        <ErrorDrawer
          key={fingerprint}
          fingerprint={fingerprint}
          onClose={() => setParams({ error: undefined })}
        />
      )}
    </>
  );
}

const orderOptions = (Object.keys(orders) as Order[]).map((value) => ({
  value,
  label: orders[value].label,
  title: orders[value].title,
}));

function NewOnly({ errors = [] }: { errors: readonly ErrorSummary[] | undefined }) {
  const isOn = isNewOnly();
  const count = errors.filter(({ is_new }) => is_new).length;
  return (
    <Button
      class={`button plain ${isOn ? "chosen" : ""}`}
      aria-pressed={isOn}
      title="Only errors first seen in this window"
      onClick={() => setParams({ new: isOn ? undefined : 1 }, { replace: true })}
    >
      New ({count})
    </Button>
  );
}

function Found({ table, errors }: { table: ErrorTable; errors: readonly ErrorSummary[] }) {
  const rest = table.kinds - table.errors.length;
  return (
    <>
      <Volume table={table} errors={errors} />
      <Panel
        title={errors.length === 1 ? "One distinct error" : `${errors.length} distinct errors`}
        {...(rest > 0 && {
          hint: `${rest} less frequent errors are not listed. Search to find them.`,
        })}
      >
        <ErrorList errors={errors} hasEarlier={table.has_earlier} />
      </Panel>
    </>
  );
}

function Nothing() {
  const isFiltered = param("q") !== undefined || isNewOnly();
  const { from, to } = timeWindow.value;
  return (
    <Panel title={isFiltered ? "Nothing found" : "Errors"}>
      {isFiltered ? (
        <Empty
          icon="filter"
          title="No error in this window matches"
          action={
            <Button onClick={() => setParams({ q: undefined, new: undefined })}>
              Show all in this window
            </Button>
          }
        >
          The search covers type, message, route and job.
        </Empty>
      ) : (
        <Empty
          icon="good"
          title="No errors in this window"
          action={
            to - from < presets["7d"] && <Button onClick={() => choosePreset("7d")}>Last 7 days</Button>
          }
        >
          Exceptions in handlers and failed jobs appear here. Error responses that a handler returns
          intentionally, such as a 404, are not listed.
        </Empty>
      )}
    </Panel>
  );
}

const columns = [
  "fingerprint",
  "type",
  "message",
  "where",
  "count",
  "total",
  "first_seen",
  "last_seen",
  "is_new",
  "instances",
];

function download(errors: readonly ErrorSummary[]): void {
  const rows = errors.map((error) => [
    error.fingerprint,
    error.type,
    error.message,
    [...error.routes, ...error.jobs.map((job) => `job ${job}`)].join(", "),
    error.count,
    error.total,
    new Date(error.first_seen).toISOString(),
    new Date(error.last_seen).toISOString(),
    String(error.is_new),
    instancesOf(error)
      .map(({ instance }) => instance)
      .join(", "),
  ]);
  downloadCsv("errors.csv", columns, rows);
}
