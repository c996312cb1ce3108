// API_SOURCE
import { createHash } from "node:crypto";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Article {
  slug: string;
  title: string;
  body: string;
  revision: number;
  updatedAt: Date;
}

interface Settings {
  theme: "light" | "dark";
  pageSize: number;
}

declare function findArticle(slug: string): Promise<Article | undefined>;
declare function saveArticle(slug: string, change: { title: string; body: string }): Promise<Article>;
declare function loadSettings(): Promise<Settings>;

function etagOf(article: Article): string {
  return `"${article.slug}-${article.revision}"`;
}

/** Sets the tag, and tells whether the client has this state already. */
function isFresh(e: RequestEvent, etag: string): boolean {
  e.setHeader("ETag", etag);
  return e.header("if-none-match") === etag;
}

async function getArticle(e: RequestEvent<"slug">) {
  const article = await findArticle(e.pathValue("slug"));
  if (!article) throw e.error(404, "There is no such article.");
  const etag = etagOf(article);
  e.setHeader("ETag", etag);
  e.setHeader("Cache-Control", "max-age=60");
  if (e.header("if-none-match") === etag) return e.text(304, "");
  e.setHeader("Last-Modified", article.updatedAt.toUTCString());
  return e.json(200, article);
}

async function getSettings(e: RequestEvent) {
  const settings = await loadSettings();
  const etag = createHash("sha1").update(JSON.stringify(settings)).digest("base64url");
  if (isFresh(e, `"${etag}"`)) return e.json(304, null);
  e.setHeader("Vary", "Accept-Encoding");
  return e.json(200, settings);
}

async function putArticle(e: RequestEvent<"slug">) {
  const expected = e.header("if-match");
  if (expected === undefined) throw e.error(428, "Send If-Match with the tag that you have read.");
  const current = await findArticle(e.pathValue("slug"));
  if (!current) throw e.error(404, "There is no such article.");
  if (expected !== etagOf(current)) throw e.error(412, "Somebody else has changed this article.");
  const change = await e.bindBody<{ title: string; body: string }>();
  const saved = await saveArticle(current.slug, change);
  e.setHeader("ETag", etagOf(saved));
  return e.json(200, { slug: saved.slug, revision: saved.revision });
}

export function routes(router: VersionedRouter): void {
  router.get("/articles/{slug}", getArticle);
  router.put("/articles/{slug}", putArticle);
  router.get("/settings", getSettings);
}
