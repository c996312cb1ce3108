import { html, type Theme, withBasePath } from "../../http/index.ts";

/** Path of the client's files. */
const assetsPath = "/_/_/assets/";

export interface PageContent {
  /** The path before the paths of Annex. */
  readonly basePath: string;
  readonly script: string;
  readonly styles: readonly string[];
  /** Undefined follows the system. */
  readonly theme: Theme | undefined;
  readonly email: string;
  readonly annexVersion: string;
  /** The framework of the application whose server Annex uses. Undefined if Annex has its own server. */
  readonly attachedTo: string | undefined;
  /** Initial data of the client, as JSON. */
  readonly data: string;
}

/** Renders the page that loads the client. Initial data is passed in attributes, so no inline script is needed. */
export function renderPage(content: PageContent): string {
  const { basePath, script, styles, theme, email, annexVersion, attachedTo, data } = content;
  const page = html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? "dark light"}">
<meta name="robots" content="noindex">
<title>Annex</title>
<link rel="icon" type="image/svg+xml" href="/_/assets/logo.svg">
${styles.map((name) => html`<link rel="stylesheet" href="${assetsPath}${name}">`)}
<script type="module" src="${assetsPath}${script}"></script>
</head>
<body>
<div id="app" data-root="${basePath}" data-base="${basePath}/_/_" data-email="${email}" data-version="${annexVersion}"${attachedTo && html` data-attached="${attachedTo}"`} data-initial="${data}"></div>
<noscript><p>The dashboard requires JavaScript. Without it, you can read <a href="/api/health">the health of this server</a>.</p></noscript>
</body>
</html>
`;
  return withBasePath(page, basePath);
}
