import { isSuperuser } from "../../../auth/index.ts";
import {
  asksForPage,
  BuiltClient,
  type ClientFiles,
  clientFolder,
  pageHeaders,
  type RequestEvent,
  type Router,
  readClient,
  readTheme,
} from "../../../http/index.ts";
import type { Docs } from "../docs.ts";
import { findShown } from "../document-response.ts";
import { ASSET_NOT_FOUND, DOCS_PAGE_NOT_BUILT, DOCUMENT_NOT_FOUND } from "../errors.ts";
import type { Version } from "../versions/version.ts";
import { renderPage } from "./page.ts";
import { renderVersionsPage } from "./versions-page.ts";

export interface DocsPages {
  /** Sends the list of versions as a page. Returns `undefined` if the client has not asked for a page. */
  sendVersions(e: RequestEvent<never>): Promise<unknown> | undefined;
}

/** Registers the public pages and their files. */
export function mountPages(router: Router, docs: Docs, read = readExplorer): DocsPages {
  const client = new BuiltClient(read);

  router.get("/{version}/swagger", async (e) => {
    const version = findShown(docs, e.pathValue("version"));
    if (!isPublic(version)) throw DOCUMENT_NOT_FOUND(version.label);
    const { script, styles } = await client.files();
    setHeaders(e, version.config.baseURL);
    const others = docs.list().filter(isPublic);
    const { basePath } = e;
    return e.html(200, renderPage({ basePath, version, others, script, styles, theme: readTheme(e) }));
  });

  router.get("/assets/{file}", (e) => client.send(e, e.pathValue("file")));

  async function sendVersions(e: RequestEvent<never>): Promise<unknown> {
    const isOwner = isSuperuser(e.auth);
    const versions = docs
      .list()
      .filter((version) => version.config.enabled && (isOwner || isPublic(version)));
    const { basePath } = e;
    if (versions.length === 0 && !isOwner)
      return e.redirect(302, `${basePath}/_/?next=${encodeURIComponent(`${basePath}/api/docs/versions`)}`);
    const { styles } = await client.files();
    setHeaders(e);
    const { defaultVersion } = docs;
    return e.html(
      200,
      renderVersionsPage({ basePath, versions, defaultVersion, styles, theme: readTheme(e) }),
    );
  }

  return {
    sendVersions: (e) => (asksForPage(e.header("accept")) ? sendVersions(e) : undefined),
  };
}

function isPublic({ config }: Version): boolean {
  return config.enabled && config.publicSwagger;
}

/** Requests from the page may go to the origin of the API. */
function setHeaders(e: RequestEvent<never>, baseURL?: string): void {
  for (const [name, value] of Object.entries(pageHeaders)) e.setHeader(name, value);
  if (baseURL === undefined) return;
  const policy = pageHeaders["Content-Security-Policy"];
  const { origin } = new URL(baseURL);
  e.setHeader(
    "Content-Security-Policy",
    policy.replace("connect-src 'self'", `connect-src 'self' ${origin}`),
  );
}

function readExplorer(folder = clientFolder("docs", import.meta.url)): Promise<ClientFiles> {
  return readClient(folder, {
    notBuilt: (cause) => DOCS_PAGE_NOT_BUILT.with({ cause }),
    fileNotFound: (name, cause) => ASSET_NOT_FOUND.with({ cause }, name),
  });
}
