// API_SOURCE
import { addRecipe, allRecipes, recipeById } from "./recipes.js";

/** @typedef {import("../../../../src/index.ts").RequestEvent} RequestEvent */
/** @typedef {import("./recipes.js").NewRecipe} NewRecipe */

/**
 * @typedef {object} Rating
 * @property {number} stars
 * @property {string} [comment]
 */

const LEVELS = ["easy", "hard"];

/**
 * Reads a whole number from the query.
 *
 * @param {RequestEvent} e
 * @param {string} name
 * @param {number} fallback
 * @returns {number}
 */
function whole(e, name, fallback) {
  const text = e.query(name);
  return text === undefined ? fallback : Number.parseInt(text, 10);
}

/**
 * List the recipes of the book. The quickest comes first.
 *
 * @param {RequestEvent} e
 */
export function listRecipes(e) {
  const level = e.query("level");
  if (level !== undefined && !LEVELS.includes(level)) throw e.error(400, "A recipe is easy or hard.");
  const page = whole(e, "page", 1);
  const found = allRecipes()
    .filter((recipe) => level === undefined || recipe.level === level)
    .sort((a, b) => a.minutes - b.minutes);
  return e.json(200, found.slice((page - 1) * 20, page * 20));
}

/**
 * Return one recipe.
 *
 * @param {RequestEvent} e
 */
export async function getRecipe(e) {
  const recipe = recipeById(e.pathValue("id"));
  if (e.query("format") === "text") return e.text(200, `${recipe.title} (${recipe.minutes} minutes)`);
  return e.json(200, recipe);
}

/**
 * Add a recipe to the book.
 *
 * @param {RequestEvent} e
 * @returns {Promise<unknown>}
 */
export async function createRecipe(e) {
  /** @type {NewRecipe} */
  const input = await e.bindBody();
  const recipe = addRecipe(input);
  e.setHeader("Location", `/recipes/${recipe.id}`);
  return e.json(201, recipe);
}

/**
 * @param {RequestEvent} e
 * @returns {Promise<unknown>}
 * @deprecated Ratings move to the shop.
 */
export const rateRecipe = async (e) => {
  const recipe = recipeById(e.pathValue("id"));
  const rating = /** @type {Rating} */ (await e.bindBody());
  recipe.stars.push(rating.stars);
  return e.noContent();
};
