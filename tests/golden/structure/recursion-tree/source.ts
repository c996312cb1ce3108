// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Category, type NewCategory, trailTo, withIds } from "./categories.ts";
import { checkNode } from "./check.ts";

const roots: Category[] = [];

function pruned(category: Category, depth: number): Category {
  if (depth <= 1) return { ...category, children: [] };
  return { ...category, children: category.children.map((child) => pruned(child, depth - 1)) };
}

/** Return the tree of categories, down to some depth. */
export function getTree(e: RequestEvent) {
  const depth = Number.parseInt(e.query("depth") ?? "3", 10);
  return e.json(
    200,
    roots.map((root) => pruned(root, depth)),
  );
}

/** Return the way from the root to a category. */
export function getTrail(e: RequestEvent<"id">) {
  const trail = trailTo(roots, e.pathValue("id"));
  if (!trail) throw e.error(404, "There is no such category.");
  return e.json(200, { names: trail.map(({ name }) => name), depth: trail.length });
}

/** Add a category with everything below it. */
export async function addCategory(e: RequestEvent) {
  const input = await e.bindBody<NewCategory>();
  checkNode(input, 1);
  const category = withIds(input);
  roots.push(category);
  return e.json(201, category);
}

export function routes(router: VersionedRouter): void {
  router.get("/categories", getTree);
  router.get("/categories/{id}/trail", getTrail);
  router.post("/categories", addCategory);
}
