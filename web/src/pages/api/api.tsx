import type { ApiOverview, ApiVersion } from "../../../../src/features/docs/wire.ts";
import "../../explorer/explorer.css";
import "./api.css";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { EndpointList } from "../../explorer/endpoints/endpoint-list.tsx";
import { documentedRoute, type OpenApi } from "../../explorer/openapi/document.ts";
import { Reading, type ReadingContext } from "../../explorer/reading.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { type Query, useQuery } from "../../state/query.ts";
import { windowParams } from "../../state/time-window.ts";
import { Tabs } from "../../ui/controls/choice.tsx";
import { lazily } from "../../ui/feedback/lazy.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { Diagnostics } from "./diagnostics/diagnostics.tsx";
import { Differences } from "./differences.tsx";
import { statsColumns } from "./endpoint-stats.tsx";
import { NoVersions } from "./no-versions.tsx";
import type { StatsByRoute } from "./route-stats.ts";
import { VersionCards } from "./version-cards.tsx";
import { analysisLabel } from "./version-labels.ts";

const OperationView = lazily(async () => (await import("./operation/operation.tsx")).OperationView);
const Schemas = lazily(async () => (await import("./schemas.tsx")).Schemas);

/** The versions of the application's API: operations, metrics and changes. */
export function Api() {
  const overview = useOverview();
  return (
    <>
      <PageHead title="API">{overview.data && <AnalysisState analysis={overview.data.analysis} />}</PageHead>
      <Loaded query={overview} lines={8}>
        {(data) => <Versions overview={data} />}
      </Loaded>
    </>
  );
}

/** Reloads often during the source analysis, otherwise rarely, because an application can change its versions. */
function useOverview(): Query<ApiOverview> {
  const [isReading, setReading] = useState(false);
  const query = useQuery("/_/_/data/api", {}, { every: isReading ? 2_000 : 60_000, evenPaused: isReading });
  const { state } = query.data?.analysis ?? {};
  useEffect(() => setReading(state === "reading"), [state]);
  return query;
}

function AnalysisState({ analysis }: Pick<ApiOverview, "analysis">) {
  const { tone, text } = analysisLabel(analysis);
  if (analysis.operations === 0) return null;
  return <Status tone={tone}>{text}</Status>;
}

function Versions({ overview }: { overview: ApiOverview }) {
  const routes = useQuery("/_/_/data/routes", windowParams.value);
  const stats = useMemo(
    () => routes.data && new Map(routes.data.routes.map((each) => [each.route, each])),
    [routes.data],
  );
  const chosen = findVersion(overview);
  if (!chosen) return <NoVersions />;
  return (
    <div class={param("op") && !param("tab") ? "stack gap-11 has-operation" : "stack gap-11"}>
      <VersionCards
        versions={overview.versions}
        chosen={chosen}
        defaultVersion={overview.default_version}
        stats={stats}
      />
      <Parts key={chosen.version} overview={overview} version={chosen} stats={stats} />
    </div>
  );
}

/** The version in the URL, the version of the operation in the URL, or the default. */
function findVersion({ versions, default_version }: ApiOverview): ApiVersion | undefined {
  const [label, op] = [param("version"), param("op")];
  return (
    versions.find(({ version }) => version === label) ??
    versions.find(({ operations }) => operations.some(({ route }) => route === op)) ??
    versions.find(({ version }) => version === default_version) ??
    versions[0]
  );
}

type Part = "endpoints" | "schemas" | "diff" | "open";

interface PartsProps {
  readonly overview: ApiOverview;
  readonly version: ApiVersion;
  readonly stats: StatsByRoute | undefined;
}

function Parts({ overview, version, stats }: PartsProps) {
  const document = useDocument(version, overview.analysis.state);
  const schemas = document.data && Object.keys(document.data.components?.schemas ?? {}).length;
  const open = overview.analysis.diagnostics;
  const part = (["schemas", "diff", "open"] as const).find((name) => name === param("tab")) ?? "endpoints";
  return (
    <Reading.Provider value={readingOf(version.version, document.data)}>
      <Tabs<Part>
        name="Parts of the API"
        value={part}
        onChoose={(tab) =>
          setParams({ tab: tab === "endpoints" ? undefined : tab, q: undefined, schema: undefined })
        }
        options={[
          { value: "endpoints", label: <Counted name="Endpoints" count={version.operations.length} /> },
          { value: "schemas", label: <Counted name="Schemas" count={schemas} /> },
          { value: "diff", label: "Compare" },
          {
            value: "open",
            label: <>Diagnostics {open > 0 && <Badge tone="warn">{open}</Badge>}</>,
          },
        ]}
      >
        {part === "endpoints" && (
          <Endpoints overview={overview} version={version} document={document} stats={stats} />
        )}
        {part === "schemas" && <SchemasPart version={version} document={document} />}
        {part === "diff" && <Differences overview={overview} chosen={version.version} stats={stats} />}
        {part === "open" && <Diagnostics overview={overview} />}
      </Tabs>
    </Reading.Provider>
  );
}

/** A version without documentation has an empty document. */
function readingOf(version: string, document: OpenApi = { paths: {} }): ReadingContext {
  return {
    document,
    version,
    links: {
      operation: (op) => hrefTo("api", { version, op, q: param("tab") ? undefined : param("q") }),
      schema: (schema) => hrefTo("api", { version, tab: "schemas", schema }),
      trace: (trace) => hrefTo("requests", { trace }),
    },
  };
}

function Counted({ name, count }: { name: string; count: number | undefined }) {
  return (
    <>
      {name} {count !== undefined && <span class="count wide-only">{count}</span>}
    </>
  );
}

/** Reloads the document when the source analysis has finished. */
function useDocument(version: ApiVersion, state: string): Query<OpenApi> {
  const { version: label, enabled } = version;
  const document = useQuery(enabled ? "/_/_/data/api/{version}" : null, { version: label });
  const known = useRef(state);
  useEffect(() => {
    if (known.current !== state) document.reload();
    known.current = state;
  }, [state]);
  return document;
}

function SchemasPart({ version, document }: { version: ApiVersion; document: Query<OpenApi> }) {
  if (!version.enabled) {
    return (
      <Panel title="Schemas">
        <Empty title="The documentation of this version is disabled">
          Without a document there are no schemas. The routes of the version still work.
        </Empty>
      </Panel>
    );
  }
  return (
    <Loaded query={document} lines={8}>
      {() => <Schemas />}
    </Loaded>
  );
}

interface EndpointsProps extends PartsProps {
  readonly document: Query<OpenApi>;
}

/** The list of operations, with the selected operation next to it. */
function Endpoints({ overview, version, document, stats }: EndpointsProps) {
  const op = param("op");
  const operation =
    version.operations.find(({ route }) => route === op) ??
    version.operations.find(({ route }) => documentedRoute(route) === op);
  useFocusOfLeft(op);
  const first = useRef(op);
  return (
    <div class={op ? "endpoints-and-operation" : ""}>
      <EndpointList operations={version.operations} chosen={op} columns={statsColumns(stats)} />
      {operation && (
        <OperationView
          key={operation.route}
          operation={operation}
          takesFocus={operation.route !== first.current}
          version={version}
          document={document}
          diagnostics={overview.diagnostics.filter(({ routes }) => routes.includes(operation.route))}
        />
      )}
      {op && !operation && (
        <Panel title="No such operation">
          <Empty
            icon="search"
            title={`${version.version} has no operation ${op}`}
            action={
              <a class="button" href={hrefTo("api", { version: version.version })}>
                All endpoints of {version.version}
              </a>
            }
          />
        </Panel>
      )}
    </div>
  );
}

/**
 * Returns the focus to the list entry when an operation is closed. The operation itself takes the focus when it opens.
 */
function useFocusOfLeft(op: string | undefined): void {
  const before = useRef(op);
  useLayoutEffect(() => {
    const left = before.current;
    before.current = op;
    if (left === undefined || op !== undefined) return;
    document.querySelector<HTMLElement>(`[data-route="${CSS.escape(left)}"]`)?.focus();
  }, [op]);
}
