import type { FieldProblem } from "./errors.ts";
import { INVALID_FIELDS, refuseInvalid } from "./fields.ts";

/** The requested page of a list. Pages start at 1. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export const maxPerPage = 100;

/** Reads a query parameter, like `e.query`. */
type ReadQuery = (name: string) => string | undefined;

/** Reads `page` and `perPage`. Limits the page size and rejects values that are not positive integers. */
export function parsePage(query: ReadQuery, defaultPerPage: number): PageRequest {
  const page = query("page") ?? "1";
  const perPage = query("perPage") ?? `${defaultPerPage}`;
  refuseInvalid({ page: countProblem("page", page), perPage: countProblem("perPage", perPage) });
  return { page: Number(page), perPage: Math.min(Number(perPage), maxPerPage) };
}

function countProblem(name: string, text: string): FieldProblem | undefined {
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return undefined;
  return { code: "invalid", message: `The value of ${name} must be an integer of at least 1.` };
}

/** The response of a paginated list. */
export function pageAnswer<T>({ page, perPage }: PageRequest, totalItems: number, items: readonly T[]) {
  return { page, perPage, totalPages: Math.ceil(totalItems / perPage), totalItems, items };
}

export interface SortTerm<F extends string> {
  readonly field: F;
  readonly isDescending: boolean;
}

/** Parses `-start_time,job_id`: field names separated by commas, with a minus for descending order. */
export function parseSort<F extends string>(text: string, allowed: readonly F[]): SortTerm<F>[] {
  return text.split(",").map((term) => {
    const isDescending = term.startsWith("-");
    const field = allowed.find((name) => name === term.slice(isDescending ? 1 : 0));
    if (field !== undefined) return { field, isDescending };
    const message = `The value of sort must be a list of ${allowed.join(", ")}, each with a minus for descending order.`;
    throw INVALID_FIELDS.with({ data: { sort: { code: "invalid", message } } }, message);
  });
}
