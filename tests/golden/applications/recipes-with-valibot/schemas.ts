import * as v from "valibot";

export const CUISINES = ["italian", "indian", "mexican", "other"] as const;

const Title = v.pipe(v.string(), v.minLength(3), v.maxLength(120));

const Ingredient = v.object({
  name: v.pipe(v.string(), v.minLength(1)),
  amount: v.pipe(v.number(), v.minValue(0)),
  unit: v.picklist(["g", "ml", "piece"]),
  note: v.optional(v.string()),
});

export const NewRecipe = v.object({
  title: Title,
  servings: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
  cuisine: v.picklist(CUISINES),
  vegetarian: v.optional(v.boolean(), false),
  source: v.nullable(v.string()),
  ingredients: v.pipe(v.array(Ingredient), v.minLength(1), v.maxLength(60)),
  steps: v.array(v.string()),
});

export const RecipeQuery = v.object({
  text: v.optional(v.pipe(v.string(), v.minLength(2))),
  cuisine: v.optional(v.picklist(CUISINES)),
  sort: v.optional(v.picklist(["newest", "rating"]), "newest"),
});

export const Review = v.object({
  author: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  verdict: v.picklist(["again", "once", "never"]),
  text: v.optional(v.string()),
});

export interface Recipe extends v.InferOutput<typeof NewRecipe> {
  id: string;
  createdAt: Date;
}

export interface StoredReview extends v.InferOutput<typeof Review> {
  at: Date;
}
