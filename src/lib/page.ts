import type { FieldProblem } from "./errors.ts";
import { INVALID_FIELDS, refuseInvalid } from "./fields.ts";

/** Which part of a list is wanted; pages count from 1. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export const maxPerPage = 100;

/** Reads one value of a query, as a request event does. */
type ReadQuery = (name: string) => string | undefined;

/** Reads `page` and `perPage`. Too large a page size is cut, anything but a positive whole number is refused. */
export function parsePage(query: ReadQuery, defaultPerPage: number): PageRequest {
  const page = query("page") ?? "1";
  const perPage = query("perPage") ?? `${defaultPerPage}`;
  refuseInvalid({ page: countProblem("page", page), perPage: countProblem("perPage", perPage) });
  return { page: Number(page), perPage: Math.min(Number(perPage), maxPerPage) };
}

function countProblem(name: string, text: string): FieldProblem | undefined {
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return undefined;
  return { code: "invalid", message: `The value of ${name} must be a whole number from 1 upwards.` };
}

/** The answer of a paginated list, in the contract's spelling. */
export function pageAnswer<T>({ page, perPage }: PageRequest, totalItems: number, items: readonly T[]) {
  return { page, perPage, totalPages: Math.ceil(totalItems / perPage), totalItems, items };
}

export interface SortTerm<F extends string> {
  readonly field: F;
  readonly isDescending: boolean;
}

/** Reads `-start_time,job_id`: names of a list, separated by commas, a minus before those that descend. */
export function parseSort<F extends string>(text: string, allowed: readonly F[]): SortTerm<F>[] {
  return text.split(",").map((term) => {
    const isDescending = term.startsWith("-");
    const field = allowed.find((name) => name === term.slice(isDescending ? 1 : 0));
    if (field !== undefined) return { field, isDescending };
    const message = `The value of sort must be made of ${allowed.join(", ")}, each with a leading minus to descend.`;
    throw INVALID_FIELDS.with({ data: { sort: { code: "invalid", message } } }, message);
  });
}
