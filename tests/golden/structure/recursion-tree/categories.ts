export interface Category {
  id: string;
  name: string;
  children: Category[];
}

export interface NewCategory {
  name: string;
  children?: NewCategory[];
}

let lastId = 0;

export function withIds({ name, children = [] }: NewCategory): Category {
  lastId += 1;
  return { id: `c${lastId}`, name, children: children.map(withIds) };
}

export function trailTo(categories: Category[], id: string): Category[] | undefined {
  for (const category of categories) {
    if (category.id === id) return [category];
    const below = trailTo(category.children, id);
    if (below) return [category, ...below];
  }
  return undefined;
}
