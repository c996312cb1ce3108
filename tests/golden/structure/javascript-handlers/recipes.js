import { ApiError } from "../../../../src/index.ts";

/**
 * @typedef {object} NewRecipe
 * @property {string} title
 * @property {number} minutes
 * @property {"easy" | "hard"} level
 * @property {string} [source]
 */

/**
 * @typedef {object} Recipe
 * @property {string} id
 * @property {string} title
 * @property {number} minutes
 * @property {"easy" | "hard"} level
 * @property {string} [source]
 * @property {number[]} stars
 */

export class UnknownRecipe extends ApiError {
  /** @param {string} id */
  constructor(id) {
    super(404, `There is no recipe ${id}.`);
  }
}

/** @type {Map<string, Recipe>} */
const recipes = new Map();

/** @returns {Recipe[]} */
export function allRecipes() {
  return [...recipes.values()];
}

/**
 * @param {string} id
 * @returns {Recipe}
 */
export function recipeById(id) {
  const recipe = recipes.get(id);
  if (!recipe) throw new UnknownRecipe(id);
  return recipe;
}

/**
 * @param {NewRecipe} input
 * @returns {Recipe}
 */
export function addRecipe(input) {
  for (const other of recipes.values()) {
    if (other.title === input.title) throw new ApiError(409, "There is a recipe of this title.");
  }
  /** @type {Recipe} */
  const recipe = { ...input, id: `r${recipes.size + 1}`, stars: [] };
  recipes.set(recipe.id, recipe);
  return recipe;
}
