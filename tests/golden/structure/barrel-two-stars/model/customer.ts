export interface Customer {
  id: string;
  name: string;
  vatNumber?: string;
}

const customers: Customer[] = [];

export function customersLike(search: string | undefined, limit: number): Customer[] {
  const found = search === undefined ? customers : customers.filter(({ name }) => name.includes(search));
  return found.slice(0, limit);
}
