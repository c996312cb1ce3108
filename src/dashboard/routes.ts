import { isSuperuser } from "../auth/index.ts";
import { answerStatic, pageHeaders, type RequestEvent, type RootRouter } from "../http/index.ts";
import { type Client, readClient } from "./client.ts";
import { pageNames, renderPage, type Theme } from "./page.ts";

export interface DashboardOptions {
  readonly annexVersion: string;
  /** Reads the client's files. Default: the built client. */
  readonly read?: () => Promise<Client>;
}

/** Registers the page under all its paths, and its files. These requests are excluded from logs and metrics. */
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

  async function answerPage(e: RequestEvent<never>): Promise<unknown> {
    for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
    if (!isSuperuser(e.auth)) return e.redirect(302, `/_/?next=${encodeURIComponent(addressOf(e))}`);
    const { script, styles } = await client();
    const { email } = e.auth;
    return e.html(200, renderPage({ script, styles, theme: readTheme(e), email, annexVersion }));
  }

  for (const path of ["/_/_", "/_/_/", ...pageNames.map((name) => `/_/_/${name}`)]) own.get(path, answerPage);
  own.get("/_/_/assets/{file}", async (e) => {
    const files = await client();
    try {
      return answerStatic(e, await files.file(e.pathValue("file")));
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
