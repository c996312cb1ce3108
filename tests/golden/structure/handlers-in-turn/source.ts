// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Article, articles, type Draft, drafts, quotaOf } from "./articles.ts";
import { cached, compose, inTurn, logged, withLocale } from "./combine.ts";

function checkQuota(e: RequestEvent) {
  const author = e.header("X-Author");
  if (author === undefined) throw e.error(400, "The header X-Author is missing.");
  if (quotaOf(author) <= 0) throw e.error(429, "You have published enough for today.");
  e.set("author", author);
}

async function loadDraft(e: RequestEvent) {
  const draft = drafts.get(e.pathValue("id"));
  if (!draft) throw e.error(404, "There is no such draft.");
  e.set("draft", draft);
}

function publish(e: RequestEvent) {
  const draft = e.get<Draft>("draft")!;
  if (draft.text.length === 0) return e.json(422, { draft: draft.id, problems: ["The text is empty."] });

  const article: Article = {
    id: draft.id,
    title: draft.title,
    author: e.get<string>("author")!,
    publishedAt: new Date(),
  };
  articles.push(article);
  e.setHeader("Location", `/articles/${article.id}`);
  return e.json(201, article);
}

/** Publish a draft as an article. */
const publishArticle = inTurn(checkQuota, loadDraft, publish);

/** List the newest articles. */
function listArticles(e: RequestEvent) {
  const author = e.query("author");
  return e.json(
    200,
    articles.filter((article) => author === undefined || article.author === author),
  );
}

export function routes(router: VersionedRouter): void {
  router.post("/drafts/{id}/publication", publishArticle);
  router.get("/articles", compose(logged, withLocale, cached(30))(listArticles));
}
