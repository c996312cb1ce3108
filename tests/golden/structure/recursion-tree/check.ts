import { ApiError } from "../../../../src/index.ts";
import type { NewCategory } from "./categories.ts";

const MOST_LEVELS = 6;

export function checkNode(node: NewCategory, level: number): void {
  if (level > MOST_LEVELS) throw new ApiError(422, `A tree has at most ${MOST_LEVELS} levels.`);
  if (node.children) checkChildren(node.children, level + 1);
}

function checkChildren(children: NewCategory[], level: number): void {
  const names = new Set(children.map(({ name }) => name));
  if (names.size < children.length)
    throw new ApiError(409, "Two categories beside each other have one name.");
  for (const child of children) checkNode(child, level);
}
