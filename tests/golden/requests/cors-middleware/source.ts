// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { cors } from "./cors.ts";

interface Article {
  id: string;
  name: string;
  price: number;
}

interface NewReview {
  stars: number;
  text: string;
}

declare const articles: {
  search(text: string | undefined): Promise<{ rows: Article[]; total: number }>;
  review(article: string, review: NewReview): Promise<{ id: string }>;
};

async function listArticles(e: RequestEvent) {
  const { rows, total } = await articles.search(e.query("q"));
  e.setHeader("X-Total-Count", total);
  return e.json(200, rows);
}

async function addReview(e: RequestEvent<"id">) {
  const review = await e.bindBody<NewReview>();
  const { id } = await articles.review(e.pathValue("id"), review);
  e.setHeader("Location", `/articles/${e.pathValue("id")}/reviews/${id}`);
  return e.json(201, { id });
}

export function routes(router: VersionedRouter): void {
  router.bindFunc(cors);
  router.get("/articles", listArticles);
  router.post("/articles/{id}/reviews", addReview);
}
