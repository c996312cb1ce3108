// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { db } from "./database.ts";

interface NewPost {
  slug: string;
  title: string;
  body: string;
  authorId: number;
  categoryId?: number;
}

/** Lists published posts. */
async function listPosts(e: RequestEvent) {
  const author = e.query("author");
  const category = e.query("category");
  let query = db
    .selectFrom("post")
    .innerJoin("author", "author.id", "post.author_id")
    .leftJoin("category", "category.id", "post.category_id")
    .select([
      "post.slug",
      "post.title",
      "post.published_at",
      "author.name as author",
      "category.name as category",
    ])
    .where("post.state", "=", "published");
  if (author) query = query.where("author.name", "=", author);
  if (category) query = query.where("category.name", "=", category);
  const limit = Math.min(Number.parseInt(e.query("limit") ?? "20", 10), 100);
  return e.json(200, await query.orderBy("post.published_at", "desc").limit(limit).execute());
}

async function postBySlug(e: RequestEvent<"slug">) {
  const post = await db
    .selectFrom("post")
    .selectAll()
    .where("slug", "=", e.pathValue("slug"))
    .executeTakeFirst();
  if (!post) throw e.error(404, "There is no such post.");
  return post;
}

/** Returns a post with its comments. */
async function getPost(e: RequestEvent<"slug">) {
  const post = await postBySlug(e);
  const comments = await db
    .selectFrom("comment")
    .select(["id", "name", "text", "created_at as at"])
    .where("post_id", "=", post.id)
    .execute();
  return e.json(200, { ...post, comments });
}

/** Writes a post. It stays a draft until it is published. */
async function createPost(e: RequestEvent) {
  const { slug, title, body, authorId, categoryId } = await e.bindBody<NewPost>();
  const author = await db.selectFrom("author").select("id").where("id", "=", authorId).executeTakeFirst();
  if (!author) throw e.error(422, "There is no such author.");
  const created = await db
    .insertInto("post")
    .values({
      slug,
      title,
      body,
      state: "draft",
      author_id: author.id,
      category_id: categoryId ?? null,
      published_at: null,
    })
    .returning(["id", "slug", "created_at"])
    .executeTakeFirstOrThrow();
  return e.json(201, created);
}

/** Publishes a post. */
async function publishPost(e: RequestEvent<"slug">) {
  const updated = await db
    .updateTable("post")
    .set({ state: "published", published_at: new Date() })
    .where("slug", "=", e.pathValue("slug"))
    .returning(["slug", "state", "published_at"])
    .executeTakeFirst();
  if (updated === undefined) throw e.error(404, "There is no such post.");
  return e.json(200, updated);
}

/** Counts the comments of every post. */
async function commentCounts(e: RequestEvent) {
  const counts = await db
    .selectFrom("comment")
    .innerJoin("post", "post.id", "comment.post_id")
    .select(({ fn }) => ["post.slug", fn.countAll<number>().as("comments")])
    .groupBy("post.slug")
    .execute();
  return e.json(200, counts);
}

/** Deletes a comment. */
async function deleteComment(e: RequestEvent<"id">) {
  const { numDeletedRows } = await db
    .deleteFrom("comment")
    .where("id", "=", Number(e.pathValue("id")))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw e.error(404, "There is no such comment.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/posts", listPosts);
  router.post("/posts", createPost);
  router.get("/posts/{slug}", getPost);
  router.post("/posts/{slug}/publish", publishPost);
  router.get("/comment-counts", commentCounts);
  router.delete("/comments/{id}", deleteComment);
}
