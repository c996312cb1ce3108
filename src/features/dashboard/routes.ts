import { isSuperuser } from "../../auth/index.ts";
import {
  BuiltClient,
  type ClientFiles,
  compress,
  pageHeaders,
  type RequestEvent,
  type RootRouter,
  readTheme,
} from "../../http/index.ts";
import { pagesOf, readDashboard } from "./client.ts";
import { DASHBOARD_PAGE_NOT_FOUND } from "./errors.ts";
import { renderPage } from "./page.ts";
import { mountViews } from "./views/routes.ts";
import type { ViewStore } from "./views/store.ts";

export interface DashboardOptions {
  readonly annexVersion: string;
  readonly views: ViewStore;
  /** The framework of the application whose server Annex uses. Default: none. */
  readonly attachedTo?: () => string | undefined;
  /** What the client starts with. Default: nothing. */
  readonly initialData?: () => object;
  /** Reads the client's files. Default: the built client. */
  readonly read?: () => Promise<ClientFiles>;
}

/** Registers the pages of the client, its files and the saved views. */
export function mountDashboard(root: RootRouter, options: DashboardOptions): void {
  const { annexVersion, views, attachedTo, initialData = () => ({}), read = () => readDashboard() } = options;
  const own = root.uncounted();
  const client = new BuiltClient(read);

  async function sendPage(e: RequestEvent<never>): Promise<unknown> {
    for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
    const { basePath } = e;
    if (!isSuperuser(e.auth))
      return e.redirect(302, `${basePath}/_/?next=${encodeURIComponent(addressOf(e))}`);
    const { script, styles } = await client.files();
    const { email } = e.auth;
    const data = JSON.stringify(initialData());
    const theme = readTheme(e);
    const shown = { script, styles, theme, email, annexVersion, attachedTo: attachedTo?.(), data };
    return e.html(200, renderPage({ basePath, ...shown }));
  }

  /** If the client is not built, its pages are unknown, and the response to a page says so. */
  async function hasPage(name: string): Promise<boolean> {
    const pages = await client.files().then(pagesOf, () => undefined);
    return pages?.has(name) ?? true;
  }

  mountViews(own, { store: views, hasPage });
  root.get("/_/_", sendPage).bind(compress());
  root.get("/_/_/", sendPage).bind(compress());
  const named = root.get("/_/_/{page}", async (e) => {
    const name = e.pathValue("page");
    if (!(await hasPage(name))) throw DASHBOARD_PAGE_NOT_FOUND(name.slice(0, 100));
    return sendPage(e);
  });
  named.bind(compress());
  own.get("/_/_/assets/{file}", (e) => client.send(e, e.pathValue("file")));
}

function addressOf({ url }: RequestEvent<never>): string {
  return url.pathname + url.search;
}
