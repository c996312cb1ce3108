import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import type { ApiOperation } from "../../../../src/features/docs/wire.ts";
import { param, setParams } from "../../state/address.ts";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Method } from "../../ui/status.tsx";
import { Disclosure } from "../disclosure.tsx";
import { Reading } from "../reading.ts";
import { hasWords, SearchField } from "../search.tsx";
import { OperationBadges, Path } from "./operation-name.tsx";

export interface EndpointListProps {
  readonly operations: readonly ApiOperation[];
  /** The route of the selected operation. */
  readonly chosen: string | undefined;
  /** Columns on the right, with their titles. */
  readonly columns?: {
    readonly heads: ComponentChildren;
    cells(operation: ApiOperation): ComponentChildren;
  };
}

/** The operations of a version by tag. */
export function EndpointList({ operations, chosen, columns }: EndpointListProps) {
  const { version } = useContext(Reading);
  const text = param("q") ?? "";
  const found = operations.filter((operation) => matches(operation, text));
  return (
    <section class="endpoints card stack" aria-labelledby="endpoints-title">
      <h2 id="endpoints-title" class="visually-hidden">
        Endpoints of {version}
      </h2>
      <SearchField
        name="Search endpoints"
        placeholder="Search by path, method, summary or name"
        found={found.length}
        all={operations.length}
      />
      {found.length > 0 && columns?.heads}
      {groupByTag(found).map(([tag, ofTag]) => (
        // A search shows all matches, even in closed groups.
        <Disclosure
          key={`${tag} ${text !== ""}`}
          class="endpoint-group"
          isOpen
          summary={<Tag name={tag} count={ofTag.length} />}
        >
          {() => (
            <ul>
              {ofTag.map((operation) => (
                <Endpoint
                  key={operation.route}
                  operation={operation}
                  isChosen={operation.route === chosen}
                  cells={columns?.cells(operation)}
                />
              ))}
            </ul>
          )}
        </Disclosure>
      ))}
      {found.length === 0 && <NothingFound isEmpty={operations.length === 0} />}
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

function matches({ route, summary, operation_id, tags }: ApiOperation, text: string): boolean {
  return hasWords([route, summary, operation_id, ...tags].join(" "), text);
}

function groupByTag(operations: readonly ApiOperation[]): [string, ApiOperation[]][] {
  const groups = Map.groupBy(operations, ({ tags }) => tags[0] ?? "other");
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
}

interface EndpointProps {
  readonly operation: ApiOperation;
  readonly isChosen: boolean;
  readonly cells: ComponentChildren;
}

function Endpoint({ operation, isChosen, cells }: EndpointProps) {
  const { version, links } = useContext(Reading);
  const { method, path, route, summary } = operation;
  return (
    <li class={isChosen ? "endpoint chosen" : "endpoint"}>
      <a
        class="endpoint-link cover"
        data-route={route}
        href={links.operation(route)}
        {...(isChosen && { "aria-current": "true" })}
      >
        <Method method={method} />
        <Path path={path} version={version} />
      </a>
      <span class="endpoint-summary hint ellipsis">{summary}</span>
      <span class="endpoint-meta">
        <OperationBadges operation={operation} />
        {cells}
      </span>
    </li>
  );
}
