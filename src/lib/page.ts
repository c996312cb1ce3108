/** The requested page of a list. Pages start at 1. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/** Maximum number of items on a page. */
export const maxPerPage = 100;

/** The response of a paginated list. */
export function toPageResponse<T>({ page, perPage }: PageRequest, totalItems: number, items: readonly T[]) {
  return { page, perPage, totalPages: Math.ceil(totalItems / perPage), totalItems, items };
}

/** A field of a sort order. */
export interface SortTerm<F extends string> {
  readonly field: F;
  readonly isDescending: boolean;
}
