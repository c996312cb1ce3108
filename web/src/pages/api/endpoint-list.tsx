import type { ApiOperation, ApiVersion } from "../../../../src/features/docs/wire.ts";
import type { RouteStats } from "../../../../src/features/metrics/wire.ts";
import { formatCount, formatMs, formatPercent } from "../../format/numbers.ts";
import { hrefTo, param, setParams } from "../../state/address.ts";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Badge, Method } from "../../ui/status.tsx";
import { Disclosure } from "./disclosure.tsx";
import { type StatsByRoute, share } from "./route-stats.ts";
import { SearchField } from "./search-field.tsx";

interface EndpointListProps {
  readonly version: ApiVersion;
  readonly chosen: string | undefined;
  readonly stats: StatsByRoute | undefined;
}

/** The operations of a version by tag, each with its current metrics. */
export function EndpointList({ version, chosen, stats }: EndpointListProps) {
  const text = param("q") ?? "";
  const found = version.operations.filter((operation) => matches(operation, text));
  const groups = groupByTag(found);
  return (
    <section class="endpoints card stack" aria-labelledby="endpoints-title">
      <h2 id="endpoints-title" class="visually-hidden">
        Endpoints of {version.version}
      </h2>
      <SearchField
        name="Search endpoints"
        placeholder="Search by path, method, summary or name"
        found={found.length}
        all={version.operations.length}
      />
      {found.length > 0 && (
        <div class="endpoint-heads small medium quiet" aria-hidden="true">
          <span>Calls</span>
          <span>p95</span>
          <span>Errors</span>
        </div>
      )}
      {groups.map(([tag, operations]) => (
        // A search shows all matches, even in closed groups.
        <Disclosure
          key={`${tag} ${text !== ""}`}
          class="endpoint-group"
          isOpen
          summary={<Tag name={tag} count={operations.length} />}
        >
          {() => (
            <ul>
              {operations.map((operation) => (
                <Endpoint
                  key={operation.route}
                  operation={operation}
                  version={version.version}
                  isChosen={operation.route === chosen}
                  stats={stats?.get(operation.route)}
                />
              ))}
            </ul>
          )}
        </Disclosure>
      ))}
      {found.length === 0 && <NothingFound isEmpty={version.operations.length === 0} />}
    </section>
  );
}

function NothingFound({ isEmpty }: { isEmpty: boolean }) {
  if (isEmpty) {
    return (
      <Empty icon="api" title="This version has no routes yet">
        The routes that its registrar adds appear here when the server starts.
      </Empty>
    );
  }
  return (
    <Empty
      icon="search"
      title="No endpoint matches"
      action={
        <button type="button" class="button" onClick={() => setParams({ q: undefined }, { replace: true })}>
          Show all
        </button>
      }
    />
  );
}

function Tag({ name, count }: { name: string; count: number }) {
  return (
    <>
      <h3>{name}</h3>
      <span class="hint">{count}</span>
    </>
  );
}

function matches(operation: ApiOperation, text: string): boolean {
  const { route, summary, operation_id, tags } = operation;
  const all = [route, summary, operation_id, ...tags].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function groupByTag(operations: readonly ApiOperation[]): [string, ApiOperation[]][] {
  const groups = Map.groupBy(operations, ({ tags }) => tags[0] ?? "other");
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
}

interface EndpointProps {
  readonly operation: ApiOperation;
  readonly version: string;
  readonly isChosen: boolean;
  readonly stats: RouteStats | undefined;
}

function Endpoint({ operation, version, isChosen, stats }: EndpointProps) {
  const { method, path, route, summary } = operation;
  return (
    <li class={isChosen ? "endpoint chosen" : "endpoint"}>
      <a
        class="endpoint-link cover"
        data-route={route}
        href={hrefTo("api", { version, op: route, q: param("q") })}
        {...(isChosen && { "aria-current": "true" })}
      >
        <Method method={method} />
        <Path path={path} version={version} />
      </a>
      <span class="endpoint-summary hint ellipsis">{summary}</span>
      <span class="endpoint-meta">
        <OperationBadges operation={operation} />
        <Stats stats={stats} />
      </span>
    </li>
  );
}

/** The common prefix of a version is dimmed, and parameters are highlighted. */
export function Path({ path, version }: { path: string; version: string }) {
  const prefix = path.startsWith(`/api/${version}/`) ? `/api/${version}` : "";
  const parts = path.slice(prefix.length).split(/(\{[^}]*\})/);
  return (
    <code class="path">
      {prefix && <span class="path-prefix quiet">{prefix}</span>}
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <span key={index} class="path-value">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </code>
  );
}

export function OperationBadges({
  operation: { deprecated, auth, documented },
}: {
  operation: ApiOperation;
}) {
  return (
    <span class="operation-badges cluster inline gap-4">
      {deprecated && <Badge tone="warn">deprecated</Badge>}
      {auth === "any" && <Badge>signed in</Badge>}
      {auth === "superuser" && <Badge tone="info">superuser</Badge>}
      {!documented && <Badge tone="warn">not documented</Badge>}
    </span>
  );
}

function NoCalls() {
  return (
    <span class="endpoint-stats quiet" title="No calls in this window">
      –<span class="visually-hidden">no calls</span>
    </span>
  );
}

function Stats({ stats }: { stats: RouteStats | undefined }) {
  if (!stats || stats.count === 0) return <NoCalls />;
  const { count, p95_ms, status_5xx } = stats;
  return (
    <span class="endpoint-stats">
      <span>
        {formatCount(count)} <span class="stat-name">{count === 1 ? "call" : "calls"}</span>
      </span>
      <span>
        <span class="stat-name">p95</span> {p95_ms === undefined ? "–" : formatMs(p95_ms)}
      </span>
      <span class={status_5xx > 0 ? "bad" : "quiet"}>
        {formatPercent(share(status_5xx, count))} <span class="stat-name">errors</span>
      </span>
    </span>
  );
}
