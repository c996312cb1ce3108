// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Entity {
  id: string;
}

interface Timestamps {
  created: Date;
  updated?: Date;
}

interface Article extends Entity, Timestamps {
  title: string;
}

type Comment = Entity & Timestamps & { text: string };

interface Draft extends Omit<Article, "id" | "created"> {
  title: "draft";
}

declare function article(): Article;
declare function comment(): Comment;
declare function draft(): Draft;

function getArticle(e: RequestEvent) {
  return e.json(200, article());
}

function getComment(e: RequestEvent) {
  return e.json(200, comment());
}

function getDraft(e: RequestEvent) {
  return e.json(200, draft());
}

export function routes(router: VersionedRouter): void {
  router.get("/article", getArticle);
  router.get("/comment", getComment);
  router.get("/draft", getDraft);
}
