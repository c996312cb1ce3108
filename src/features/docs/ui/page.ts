import { html, pageHeaders, type RequestEvent, type Router } from "../../../http/index.ts";
import { sendAsset } from "./assets.ts";

/** A version as shown on the page. */
export interface PageVersion {
  readonly label: string;
  readonly config: { readonly title: string; readonly status: string; readonly baseURL: string };
}

export interface PageContent {
  readonly version: PageVersion;
  /** The versions in the version selector, including this one. */
  readonly others: readonly PageVersion[];
}

/** Registers the interactive page and its files. `resolve` decides for each request what the page shows. */
export function mountPage(router: Router, resolve: (e: RequestEvent<"version">) => PageContent): void {
  router.get("/{version}/swagger", (e) => {
    const content = resolve(e);
    for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
    e.setHeader("Content-Security-Policy", policyFor(content.version.config.baseURL));
    return e.html(200, renderPage(content));
  });

  router.get("/{version}/swagger/{file}", (e) => {
    resolve(e);
    return sendAsset(e, e.pathValue("file"));
  });
}

/** The policy of all pages, plus the API's origin for requests. */
function policyFor(baseURL: string): string {
  const { origin } = new URL(baseURL);
  return pageHeaders["Content-Security-Policy"].replace("connect-src 'self'", `connect-src 'self' ${origin}`);
}

function renderPage({ version, others }: PageContent): string {
  const { label, config } = version;
  const base = `/api/docs/${label}`;
  const page = html`<!doctype html>
<html lang="en" class="dark-mode">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${config.title} ${label}</title>
<link rel="icon" href="/_/assets/logo.svg">
<link rel="stylesheet" href="${base}/swagger/swagger-ui.css">
<link rel="stylesheet" href="${base}/swagger/page.css">
</head>
<body>
<header class="annex-bar">
<span class="annex-title">${config.title}</span>
<label class="annex-version">Version
<select id="annex-version">${others.map(
    (other) => html`
<option value="${other.label}"${other.label === label && html` selected`}>${other.label} · ${other.config.status}</option>`,
  )}
</select></label>
<a class="annex-document" href="${base}/openapi.json">openapi.json</a>
<button type="button" id="annex-theme" aria-label="Switch between dark and light">◐</button>
</header>
<main id="swagger-ui" data-document="${base}/openapi.json"></main>
<noscript><p class="annex-note">This page needs JavaScript. The document itself is at <a href="${base}/openapi.json">${base}/openapi.json</a>.</p></noscript>
<script src="${base}/swagger/swagger-ui-bundle.js" defer></script>
<script src="${base}/swagger/page.js" defer></script>
</body>
</html>
`;
  return page.toString();
}
