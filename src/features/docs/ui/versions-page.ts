import { html } from "../../../http/index.ts";
import { pageOf, type Version } from "../versions/version.ts";
import { type PageLook, renderWhole } from "./page.ts";

export interface VersionsPageContent extends PageLook {
  readonly versions: readonly Version[];
  readonly defaultVersion: string | undefined;
}

/** Renders the list of versions for a browser. */
export function renderVersionsPage({ versions, defaultVersion, ...look }: VersionsPageContent): string {
  return renderWhole(
    "API versions",
    look,
    html``,
    html`<main class="versions-page stack gap-11">
<h1>API versions</h1>
<ul class="version-list stack gap-11">${versions.map((version) => renderVersion(version, version.label === defaultVersion))}
</ul>
</main>`,
  );
}

const tones: Readonly<Record<string, string>> = { stable: "good", testing: "info", deprecated: "warn" };

function renderVersion(version: Version, isDefault: boolean) {
  const { label, config, registry } = version;
  const { title, description, status, sunset, publicSwagger } = config;
  return html`
<li class="panel gap-6">
<header class="cluster baseline gap-8">
<h2><a href="${pageOf(version)}">${title} ${label}</a></h2>
<span class="badge ${tones[status] ?? "quiet"}">${status}</span>
${isDefault && html`<span class="badge info">default</span>`}
${!publicSwagger && html`<span class="badge quiet">superusers only</span>`}
</header>
${description && html`<p class="prose">${description}</p>`}
${sunset && html`<p class="warn">Will be removed on ${sunset.slice(0, 10)}.</p>`}
<p class="cluster gap-11 quiet">
<span>${registry.size} ${registry.size === 1 ? "endpoint" : "endpoints"}</span>
<a href="/api/docs/${label}/openapi.json">openapi.json<span class="visually-hidden"> of ${label}</span></a>
</p>
</li>`;
}
