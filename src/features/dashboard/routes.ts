import { isSuperuser } from "../../auth/index.ts";
import { pageHeaders, type RequestEvent, type RootRouter, sendStatic } from "../../http/index.ts";
import { type Client, readClient } from "./client.ts";
import { DASHBOARD_PAGE_NOT_FOUND } from "./errors.ts";
import { renderPage, type Theme } from "./page.ts";

export interface DashboardOptions {
  readonly annexVersion: string;
  /** Reads the client's files. Default: the built client. */
  readonly read?: () => Promise<Client>;
}

/** Registers the pages of the client, and its files. These requests are excluded from logs and metrics. */
export function mountDashboard(
  root: RootRouter,
  { annexVersion, read = readClient }: DashboardOptions,
): void {
  const own = root.uncounted();
  let reading: Promise<Client> | undefined;

  /** Reads the client on the first request, so that startup does not wait for it. Failed reads are retried. */
  function client(): Promise<Client> {
    reading ??= read();
    reading.catch(() => {
      reading = undefined;
    });
    return reading;
  }

  async function sendPage(e: RequestEvent<never>): Promise<unknown> {
    for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
    if (!isSuperuser(e.auth)) return e.redirect(302, `/_/?next=${encodeURIComponent(addressOf(e))}`);
    const { script, styles } = await client();
    const { email } = e.auth;
    return e.html(200, renderPage({ script, styles, theme: readTheme(e), email, annexVersion }));
  }

  own.get("/_/_", sendPage);
  own.get("/_/_/", sendPage);
  own.get("/_/_/{page}", async (e) => {
    const name = e.pathValue("page");
    // If the client is not built, its pages are unknown, and the page below says so.
    const pages = await client().then(
      (built) => built.pages,
      () => undefined,
    );
    if (pages && !pages.has(name)) throw DASHBOARD_PAGE_NOT_FOUND(name.slice(0, 100));
    return sendPage(e);
  });
  own.get("/_/_/assets/{file}", async (e) => {
    const files = await client();
    try {
      return sendStatic(e, await files.file(e.pathValue("file")));
    } catch (error) {
      // In a checkout, a rebuild may have replaced files since the manifest was read, so it is read again. Unknown
      // names do not cause that, because any client can request them.
      if ((error as Error).cause !== undefined) reading = undefined;
      throw error;
    }
  });
}

function addressOf({ url }: RequestEvent<never>): string {
  return url.pathname + url.search;
}

/** The theme is stored in a cookie so that the first paint uses it. */
function readTheme(e: RequestEvent<never>): Theme | undefined {
  const theme = e.cookie("annex_theme");
  return theme === "dark" || theme === "light" ? theme : undefined;
}
