import { type Html, html, pageHeaders, type RequestEvent, withBasePath } from "../../http/index.ts";

export interface Page {
  readonly title: string;
  /** The whole body of the page. */
  readonly body: Html;
}

export function sendPage(e: RequestEvent, status: number, page: Page): unknown {
  for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
  return e.html(status, withBasePath(layout(page), e.basePath));
}

function layout({ title, body }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Annex</title>
<link rel="icon" type="image/svg+xml" href="/_/assets/logo.svg">
<link rel="stylesheet" href="/_/assets/pages.css">
</head>
<body>
${body}
</body>
</html>
`;
}

export const brand: Html = html`<img src="/_/assets/logo.svg" width="36" height="36" alt=""> Annex`;

/** A page with a single card. */
export function cardPage(title: string, content: Html): Page {
  const body = html`<header class="brand">${brand}</header>
<main class="card">
${content}
</main>`;
  return { title, body };
}
