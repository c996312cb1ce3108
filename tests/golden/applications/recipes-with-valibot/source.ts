// API_SOURCE
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { NewRecipe, type Recipe, RecipeQuery, Review, type StoredReview } from "./schemas.ts";

const recipes = new Map<string, Recipe>();
const reviews = new Map<string, StoredReview[]>();

function recipeOf(e: RequestEvent<"id">): Recipe {
  const recipe = recipes.get(e.pathValue("id"));
  if (recipe === undefined) throw e.error(404, "There is no such recipe.");
  return recipe;
}

/** Searches recipes. */
function searchRecipes(e: RequestEvent) {
  const query = v.safeParse(RecipeQuery, Object.fromEntries(e.url.searchParams));
  if (!query.success) throw e.error(400, "The query is wrong.", v.flatten(query.issues));
  const { text, cuisine, sort } = query.output;
  const found = [...recipes.values()]
    .filter((recipe) => (!text || recipe.title.includes(text)) && (!cuisine || recipe.cuisine === cuisine))
    .sort((a, b) =>
      sort === "rating"
        ? (reviews.get(b.id)?.length ?? 0) - (reviews.get(a.id)?.length ?? 0)
        : b.createdAt.getTime() - a.createdAt.getTime(),
    );
  return e.json(
    200,
    found.map(({ id, title, cuisine, vegetarian }) => ({ id, title, cuisine, vegetarian })),
  );
}

/** Adds a recipe. */
async function addRecipe(e: RequestEvent) {
  const input = await e.bindBody(NewRecipe);
  const recipe: Recipe = { ...input, id: randomUUID(), createdAt: new Date() };
  recipes.set(recipe.id, recipe);
  e.setHeader("Location", `/recipes/${recipe.id}`);
  return e.json(201, { id: recipe.id, createdAt: recipe.createdAt });
}

/** Replaces a recipe. */
async function replaceRecipe(e: RequestEvent<"id">) {
  const { id, createdAt } = recipeOf(e);
  const input = v.parse(NewRecipe, await e.bindBody());
  recipes.set(id, { ...input, id, createdAt });
  return e.noContent();
}

/** Reviews a recipe. */
async function reviewRecipe(e: RequestEvent<"id">) {
  const { id } = recipeOf(e);
  const review = await e.bindBody(Review);
  const stored: StoredReview = { ...review, at: new Date() };
  const all = [...(reviews.get(id) ?? []), stored];
  reviews.set(id, all);
  return e.json(201, { reviews: all.length });
}

/** Lists the reviews of a recipe. */
function listReviews(e: RequestEvent<"id">) {
  return e.json(200, reviews.get(recipeOf(e).id) ?? []);
}

export function routes(router: VersionedRouter): void {
  router.get("/recipes", searchRecipes);
  router.post("/recipes", addRecipe);
  router.put("/recipes/{id}", replaceRecipe);
  router.post("/recipes/{id}/reviews", reviewRecipe);
  router.get("/recipes/{id}/reviews", listReviews);
}
