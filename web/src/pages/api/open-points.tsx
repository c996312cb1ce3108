import { hrefTo } from "../../state/address.ts";
import { CopyButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Badge } from "../../ui/status.tsx";
import type { ApiOverview, ApiVersion, OpenPoint } from "./shapes.ts";

/** What helps, by the code of what was found. */
const remedies: Readonly<Record<string, string>> = {
  PARAMETER_NAME_UNKNOWN:
    "Write the name, a constant or an `as const` list instead of making it at run time.",
  BODY_TYPE_UNKNOWN: "Name the type, as in e.bindBody<NewTodo>(), or give a schema.",
  RESPONSE_TYPE_UNKNOWN: "The data is any or unknown: give it a type.",
  STATUS_UNKNOWN: "Use a constant or a union of literals instead of number.",
  CONTENT_TYPE_UNKNOWN: "Use a constant or a union of literals instead of string.",
  EVENT_OUT_OF_SIGHT: "The event goes to a function without source: read what it needs in one of your own.",
  PATH_VALUE_UNKNOWN: "The route has no such path value, and reading it fails.",
  RESPONSE_BODY_UNKNOWN: "Answer with e.json and its kind instead of through e.response.",
  TYPES_UNAVAILABLE: "The compiler did not run: parameters and statuses are there, schemas are not.",
};

/** What the analysis could not resolve, so that a document may lack it. */
export function OpenPoints({ overview }: { overview: ApiOverview }) {
  const { diagnostics, analysis, versions } = overview;
  const more = analysis.diagnostics - diagnostics.length;
  return (
    <Panel
      title="What the analysis could not resolve"
      hint="Where the documents may be incomplete, and what would help"
    >
      {diagnostics.length === 0 ? (
        <NothingOpen analysis={analysis} />
      ) : (
        <ul class="open-points">
          {diagnostics.map((point, index) => (
            <Point key={index} point={point} versions={versions} />
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
      <Empty icon="running" title="The source is being read">
        What could not be resolved appears here when that is done.
      </Empty>
    );
  }
  if (state !== "ready") {
    return (
      <Empty icon="info" title="Nothing is analysed here">
        {state === "from disk"
          ? "In production the documents come from files made by the build, which is when the source was read. Look here in development."
          : "The source is read in development only. Here the documents are made from the routes alone."}
      </Empty>
    );
  }
  return (
    <Empty icon="good" title="Everything was resolved">
      {operations_read} of {operations} operations were read, and nothing was left open.
    </Empty>
  );
}

function Point({ point, versions }: { point: OpenPoint; versions: readonly ApiVersion[] }) {
  const { code, message, file, line, routes, handler } = point;
  const place = file && `${file}${line === undefined ? "" : `:${line}`}`;
  return (
    <li>
      <p class="open-point-line">
        <Badge tone="warn">{code}</Badge>
        {place && (
          <span class="source-place">
            <code>{place}</code>
            <CopyButton text={place} name={`Copy ${place}`} />
          </span>
        )}
        {handler && <span class="hint">in {handler}</span>}
      </p>
      <p>{message}</p>
      {remedies[code] && <p class="hint">{remedies[code]}</p>}
      <ul class="open-point-routes">
        {routes.map((route) => (
          <li key={route}>
            <a class="mono" href={hrefTo("api", { version: versionOf(route, versions), op: route })}>
              {route}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

function versionOf(route: string, versions: readonly ApiVersion[]): string | undefined {
  return versions.find(({ operations }) => operations.some((each) => each.route === route))?.version;
}
