import { hrefTo } from "../../state/address.ts";
import { CopyButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge } from "../../ui/status.tsx";
import { type Cause, type CausePlace, groupByCause } from "./causes.ts";
import type { ApiOverview, ApiVersion } from "./shapes.ts";
import { TextWithCode } from "./text-with-code.tsx";

/** Parts of the source that the analysis could not resolve, so documents may be incomplete. */
export function OpenPoints({ overview }: { overview: ApiOverview }) {
  const { diagnostics, analysis, versions } = overview;
  const more = analysis.diagnostics - diagnostics.length;
  return (
    <Panel title="Diagnostics" hint="Where the documents may be incomplete, and how to fix it">
      {diagnostics.length === 0 ? (
        <NothingOpen analysis={analysis} />
      ) : (
        <ul class="open-points">
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
    <li>
      <p class="open-point-line">
        <Badge tone="warn">{code}</Badge>
        {(unread ? operations : places.length) > 1 && <span class="hint">{count}</span>}
      </p>
      <p>
        <TextWithCode text={message} />
      </p>
      <ul class="open-point-places">
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
        <span class="source-place">
          <code>{place}</code>
          <CopyButton text={place} name={`Copy ${place}`} />
        </span>
      )}
      {field && <code class="open-point-field">{field}</code>}
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
