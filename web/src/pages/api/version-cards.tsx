import type { ApiVersion } from "../../../../src/features/docs/wire.ts";
import { urlOf } from "../../data/routes.ts";
import { toneOfStatus } from "../../explorer/version-status.ts";
import { formatCount, formatPercent } from "../../format/numbers.ts";
import { hrefTo, param } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { Badge, Status } from "../../ui/status.tsx";
import { useNow } from "../../ui/time.tsx";
import { type StatsByRoute, share, sumOf } from "./route-stats.ts";
import { counterpartOf, sunsetLabel } from "./version-labels.ts";

interface VersionCardsProps {
  readonly versions: readonly ApiVersion[];
  readonly chosen: ApiVersion;
  readonly defaultVersion: string;
  readonly stats: StatsByRoute | undefined;
}

/** The versions side by side, with their metrics. The selected one is highlighted. */
export function VersionCards({ versions, chosen, defaultVersion, stats }: VersionCardsProps) {
  return (
    <section class="versions grid gap-8" aria-label="Versions">
      {versions.map((version) => (
        <VersionCard
          key={version.version}
          version={version}
          chosen={chosen}
          isDefault={version.version === defaultVersion}
          stats={stats}
        />
      ))}
    </section>
  );
}

interface VersionCardProps {
  readonly version: ApiVersion;
  readonly chosen: ApiVersion;
  readonly isDefault: boolean;
  readonly stats: StatsByRoute | undefined;
}

function VersionCard({ version, chosen, isDefault, stats }: VersionCardProps) {
  const isChosen = version === chosen;
  return (
    <article class={isChosen ? "version card chosen" : "version card"}>
      <header class="cluster baseline">
        <h2>
          <a class="cover" href={linkTo(version, chosen)} {...(isChosen && { "aria-current": "true" })}>
            {version.version}
          </a>
        </h2>
        <span class="quiet medium wrap">{version.title}</span>
        {isDefault && <Badge tone="info">default</Badge>}
        <Status tone={toneOfStatus(version.status)}>{version.status}</Status>
      </header>
      {version.description && <p class="hint clamp wide-only">{version.description}</p>}
      {version.sunset && <Sunset sunset={version.sunset} />}
      <Facts version={version} stats={stats} />
      <footer class="version-foot split">
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
  const words = sunsetLabel(sunset, useNow(60_000));
  return (
    <p class={`row gap-4 hint ${words?.isOver ? "bad" : "warn"}`}>
      <Icon name="clock" />
      <span>
        {words?.isOver ? "Was due to be removed on" : "Will be removed on"} {sunset.slice(0, 10)}
        {words && `, ${words.text}`}
      </span>
    </p>
  );
}

function Facts({ version, stats }: { version: ApiVersion; stats: StatsByRoute | undefined }) {
  const { count, failed } = sumOf(version, stats ?? new Map());
  return (
    <ul class="cluster gap-11 hint totals">
      <li>
        <b>{version.endpoints}</b> {version.endpoints === 1 ? "endpoint" : "endpoints"}
      </li>
      {stats && (
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
  const origin = generated_from === "disk" ? "From a file" : "Generated from source";
  return public_swagger ? `${origin} · public` : `${origin} · superusers only`;
}

function Links({ version: { version, public_swagger } }: { version: ApiVersion }) {
  return (
    <p class="cluster gap-11">
      {public_swagger && (
        <a
          class="link-row"
          href={urlOf("/api/docs/{version}/swagger", { version })}
          target="_blank"
          rel="noreferrer"
        >
          <Icon name="link" />
          Public page<span class="visually-hidden"> of {version}, in a new tab</span>
        </a>
      )}
      <a
        class="link-row"
        href={urlOf("/_/_/data/api/{version}", { version })}
        download={`${version}.openapi.json`}
      >
        <Icon name="download" />
        openapi.json<span class="visually-hidden"> of {version}</span>
      </a>
    </p>
  );
}
