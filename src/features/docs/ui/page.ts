import { type Html, html, type Theme, withBasePath } from "../../../http/index.ts";

/** Path of the client's files. */
const assetsPath = "/api/docs/assets/";

/** A version as shown on the page. */
export interface PageVersion {
  readonly label: string;
  readonly config: { readonly title: string; readonly status: string; readonly baseURL: string };
}

/** What all pages have in common. */
export interface PageLook {
  /** The path before the paths of Annex. */
  readonly basePath: string;
  readonly styles: readonly string[];
  /** Undefined follows the system. */
  readonly theme: Theme | undefined;
}

export interface PageContent extends PageLook {
  readonly version: PageVersion;
  /** The versions in the version selector, including this one. */
  readonly others: readonly PageVersion[];
  readonly script: string;
}

/** Renders a page. `head` is what it needs beside its styles. */
export function renderWhole(
  title: string,
  { basePath, styles, theme }: PageLook,
  head: Html,
  body: Html,
): string {
  const page = html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? "dark light"}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/_/assets/logo.svg">
${styles.map((name) => html`<link rel="stylesheet" href="${assetsPath}${name}">`)}
${head}
</head>
<body>
${body}
</body>
</html>
`;
  return withBasePath(page, basePath);
}

/** Renders the page that loads the explorer. Its data is passed in attributes, so no inline script is needed. */
export function renderPage({ version, others, script, ...look }: PageContent): string {
  const { label, config } = version;
  const base = `/api/docs/${label}`;
  const choices = others.map((other) => ({ version: other.label, status: other.config.status }));
  return renderWhole(
    `${config.title} ${label}`,
    look,
    html`<link rel="preload" as="fetch" crossorigin="anonymous" href="${base}/openapi.json">
<script type="module" src="${assetsPath}${script}"></script>`,
    html`<div id="app" data-root="${look.basePath}" data-base="${look.basePath}${base}/swagger" data-version="${label}" data-title="${config.title}" data-versions="${JSON.stringify(choices)}"></div>
<noscript><p>This page needs JavaScript. The document itself is at <a href="${base}/openapi.json">${look.basePath}${base}/openapi.json</a>.</p></noscript>`,
  );
}
