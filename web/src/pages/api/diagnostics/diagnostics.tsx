import type { ApiOverview, ApiVersion } from "../../../../../src/features/docs/wire.ts";
import { hrefTo } from "../../../state/address.ts";
import { CopyButton } from "../../../ui/controls/button.tsx";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Badge } from "../../../ui/status.tsx";
import { TextWithCode } from "../text-with-code.tsx";
import { type Cause, type CausePlace, groupByCause } from "./causes.ts";

/** Parts of the source that the analysis could not resolve, so documents may be incomplete. */
export function Diagnostics({ overview }: { overview: ApiOverview }) {
  const { diagnostics, analysis, versions } = overview;
  const more = analysis.diagnostics - diagnostics.length;
  return (
    <Panel title="Diagnostics" hint="Where the documents may be incomplete, and how to fix it">
      {diagnostics.length === 0 ? (
        <NothingOpen analysis={analysis} />
      ) : (
        <ul class="divided">
          {groupByCause(diagnostics).map((cause) => (
            <CauseItem key={`${cause.code} ${cause.message}`} cause={cause} versions={versions} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p class="hint">
          And {more} more. <code>annex doctor</code> lists them all.
        </p>
      )}
    </Panel>
  );
}

function NothingOpen({ analysis: { state, operations, operations_read } }: Pick<ApiOverview, "analysis">) {
  if (state === "reading") {
    return (
      <Empty icon="running" title="The source is being analyzed">
        Diagnostics appear here when the analysis is complete.
      </Empty>
    );
  }
  if (state !== "ready") {
    return (
      <Empty icon="info" title="Nothing is analyzed here">
        {state === "from disk"
          ? "In production, the documents come from files that the build generates. Diagnostics are listed in development."
          : "The source is analyzed in development only. Here, the documents are generated from the routes alone."}
      </Empty>
    );
  }
  return (
    <Empty icon="good" title="Everything was resolved">
      {operations_read} of {operations} operations were analyzed, and nothing was left unresolved.
    </Empty>
  );
}

function CauseItem({ cause, versions }: { cause: Cause; versions: readonly ApiVersion[] }) {
  const { code, message, places, unread } = cause;
  const operations = places.flatMap(({ routes }) => routes).length;
  const count = unread ? `${operations} operations` : `${places.length} places`;
  return (
    <li class="stack gap-2">
      <p class="cluster">
        <Badge tone="warn">{code}</Badge>
        {(unread ? operations : places.length) > 1 && <span class="hint">{count}</span>}
      </p>
      <p>
        <TextWithCode text={message} />
      </p>
      <ul class="stack gap-2">
        {places.map((place, index) => (
          <PlaceItem key={index} place={place} most={unread ? operations : mostRoutes} versions={versions} />
        ))}
      </ul>
    </li>
  );
}

/** Operations that share a location, such as middleware, can be hundreds. */
const mostRoutes = 6;

interface PlaceItemProps {
  readonly place: CausePlace;
  /** The number of listed routes. */
  readonly most: number;
  readonly versions: readonly ApiVersion[];
}

function PlaceItem({ place: { place, field, routes }, most, versions }: PlaceItemProps) {
  const more = routes.length - most;
  return (
    <li>
      {place && (
        <span class="row inline gap-2">
          <code>{place}</code>
          <CopyButton text={place} name={`Copy ${place}`} />
        </span>
      )}
      {field && <code class="quiet">{field}</code>}
      {routes.slice(0, most).map((route) => (
        <a key={route} class="mono" href={hrefTo("api", { version: versionOf(route, versions), op: route })}>
          {route}
        </a>
      ))}
      {more > 0 && <span class="hint">and {more} more</span>}
    </li>
  );
}

function versionOf(route: string, versions: readonly ApiVersion[]): string | undefined {
  return versions.find(({ operations }) => operations.some((each) => each.route === route))?.version;
}
