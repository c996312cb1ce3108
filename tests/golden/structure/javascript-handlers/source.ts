// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { createRecipe, getRecipe, listRecipes, rateRecipe } from "./handlers.js";

export function routes(router: VersionedRouter): void {
  router.get("/recipes", listRecipes);
  router.get("/recipes/{id}", getRecipe);
  router.post("/recipes", createRecipe);
  router.post("/recipes/{id}/ratings", rateRecipe);
}
