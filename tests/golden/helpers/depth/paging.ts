import type { RequestEvent } from "../../../../src/index.ts";
import { integerOr } from "./numbers.ts";

export interface Paging {
  page: number;
  size: number;
}

export function pagingOf(e: RequestEvent<never>): Paging {
  return { page: integerOr(e, "page", 1), size: integerOr(e, "size", 20) };
}
