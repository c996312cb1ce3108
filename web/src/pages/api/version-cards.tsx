import { formatCount, formatPercent } from "../../format/numbers.ts";
import { hrefTo, param } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { useNow } from "../../ui/time.tsx";
import { type FiguresByRoute, share, sumOf } from "./figures.ts";
import type { ApiVersion } from "./shapes.ts";
import { counterpartOf, sunsetWords, toneOfStatus } from "./version-words.ts";

interface VersionCardsProps {
  readonly versions: readonly ApiVersion[];
  readonly chosen: ApiVersion;
  readonly defaultVersion: string;
  readonly figures: FiguresByRoute | undefined;
}

/** The versions side by side, with their metrics. The selected one is highlighted. */
export function VersionCards({ versions, chosen, defaultVersion, figures }: VersionCardsProps) {
  return (
    <section class="versions" aria-label="Versions">
      {versions.map((version) => (
        <VersionCard
          key={version.version}
          version={version}
          chosen={chosen}
          isDefault={version.version === defaultVersion}
          figures={figures}
        />
      ))}
    </section>
  );
}

interface VersionCardProps {
  readonly version: ApiVersion;
  readonly chosen: ApiVersion;
  readonly isDefault: boolean;
  readonly figures: FiguresByRoute | undefined;
}

function VersionCard({ version, chosen, isDefault, figures }: VersionCardProps) {
  const isChosen = version === chosen;
  return (
    <article class={isChosen ? "version chosen" : "version"}>
      <header class="version-head">
        <h2>
          <a href={linkTo(version, chosen)} {...(isChosen && { "aria-current": "true" })}>
            {version.version}
          </a>
        </h2>
        <span class="version-title">{version.title}</span>
        {isDefault && <Badge tone="info">default</Badge>}
        <Status tone={toneOfStatus(version.status)}>{version.status}</Status>
      </header>
      {version.description && <p class="hint version-text">{version.description}</p>}
      {version.sunset && <Sunset sunset={version.sunset} />}
      <Facts version={version} figures={figures} />
      <footer class="version-foot">
        {version.enabled && <Links version={version} />}
        <span class="hint">{documentWords(version)}</span>
      </footer>
    </article>
  );
}

/** Links to the same operation in the other version, if it exists. */
function linkTo(version: ApiVersion, chosen: ApiVersion): string {
  const op = param("op");
  return hrefTo("api", {
    version: version.version,
    tab: param("tab"),
    q: param("q"),
    op: op && counterpartOf(op, chosen, version),
  });
}

function Sunset({ sunset }: { sunset: string }) {
  const words = sunsetWords(sunset, useNow(60_000));
  return (
    <p class={`version-sunset ${words?.isOver ? "bad" : "warn"}`}>
      <Icon name="clock" />
      <span>
        {words?.isOver ? "Was due to be removed on" : "Will be removed on"} {sunset.slice(0, 10)}
        {words && `, ${words.text}`}
      </span>
    </p>
  );
}

function Facts({ version, figures }: { version: ApiVersion; figures: FiguresByRoute | undefined }) {
  const { count, failed } = sumOf(version, figures ?? new Map());
  return (
    <ul class="version-facts">
      <li>
        <b>{version.endpoints}</b> {version.endpoints === 1 ? "endpoint" : "endpoints"}
      </li>
      {figures && (
        <li title="In the time window selected above">
          <b>{formatCount(count)}</b> {count === 1 ? "call" : "calls"}
        </li>
      )}
      {count > 0 && (
        <li class={failed > 0 ? "bad" : ""}>
          <b>{formatPercent(share(failed, count))}</b> errors
        </li>
      )}
    </ul>
  );
}

function documentWords({ enabled, public_swagger, generated_from }: ApiVersion): string {
  if (!enabled) return "Documentation disabled";
  const origin = generated_from === "disk" ? "Document from a file" : "Document from the source";
  return public_swagger ? `${origin}, public` : `${origin}, for superusers`;
}

function Links({ version: { version, public_swagger } }: { version: ApiVersion }) {
  return (
    <p class="version-links">
      {public_swagger && (
        <a href={`/api/docs/${encodeURIComponent(version)}/swagger`} target="_blank" rel="noreferrer">
          <Icon name="link" />
          Public page<span class="visually-hidden"> of {version}, in a new tab</span>
        </a>
      )}
      <a href={`/_/_/data/api/${encodeURIComponent(version)}`} download={`${version}.openapi.json`}>
        <Icon name="download" />
        openapi.json<span class="visually-hidden"> of {version}</span>
      </a>
    </p>
  );
}
