import { isSuperuser } from "../auth/index.ts";
import { answerStatic, pageHeaders, type RequestEvent, type RootRouter } from "../http/index.ts";
import { type Client, readClient } from "./client.ts";
import { pageNames, renderPage, type Theme } from "./page.ts";

export interface DashboardOptions {
  readonly annexVersion: string;
  /** Reads the client's files. Default: those that were built. */
  readonly read?: () => Promise<Client>;
}

/** Registers the page at every address it can have, and its files. Watching is not counted among what is watched. */
export function mountDashboard(
  root: RootRouter,
  { annexVersion, read = readClient }: DashboardOptions,
): void {
  const own = root.uncounted();
  let reading: Promise<Client> | undefined;

  /** Read with the first request, so that nobody else waits for it. What failed is tried again. */
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
      // In a checkout, the client may have been built anew since its list of files was read; a name that is not in the
      // list says nothing of the kind, and anybody may ask for one.
      if ((error as Error).cause !== undefined) reading = undefined;
      throw error;
    }
  });
}

function addressOf({ url }: RequestEvent<never>): string {
  return url.pathname + url.search;
}

/** Chosen on the page and kept in a cookie, so that the first paint has it. */
function readTheme(e: RequestEvent<never>): Theme | undefined {
  const theme = e.cookie("annex_theme");
  return theme === "dark" || theme === "light" ? theme : undefined;
}
