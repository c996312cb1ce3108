import type { RequestEvent } from "../../../../src/index.ts";

const MOST_FILTERS = 3;
const MOST_SORT_FIELDS = 2;

export function readFilters(e: RequestEvent, index = 1): string[] {
  if (index > MOST_FILTERS) return [];
  const filter = e.query(`filter${index}`);
  const others = readFilters(e, index + 1);
  return filter === undefined ? others : [filter, ...others];
}

interface SortField {
  field: string;
  direction: "asc" | "desc";
}

export function readSortField(e: RequestEvent, index: number): SortField[] {
  if (index > MOST_SORT_FIELDS) return [];
  const field = e.query(`sort${index}`);
  return readDirection(e, field, index);
}

function readDirection(e: RequestEvent, field: string | undefined, index: number): SortField[] {
  const direction = e.query(`direction${index}`) ?? "asc";
  if (direction !== "asc" && direction !== "desc") {
    throw e.error(400, `direction${index} is asc or desc.`);
  }
  const others = readSortField(e, index + 1);
  return field === undefined ? others : [{ field, direction }, ...others];
}
