// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface CategoryRow {
  id: number;
  parentId: number | null;
  name: string;
}

interface Category {
  id: number;
  name: string;
  children: Category[];
}

interface Remark {
  id: string;
  text: string;
  writtenAt: Date;
  author: Author;
  replies?: Remark[];
}

interface Author {
  name: string;
  pinned: Remark[];
}

interface MenuItem {
  label: string;
  href?: string;
  items?: MenuItem[];
}

interface TreeNode<T> {
  value: T;
  children: TreeNode<T>[];
}

interface Region {
  iso: string;
  population: number;
}

declare function selectCategories(): Promise<CategoryRow[]>;
declare function selectRemarks(postId: string): Promise<Remark[]>;
declare function regionTree(): Promise<TreeNode<Region>>;

function buildTree(rows: CategoryRow[], parentId: number | null = null): Category[] {
  return rows
    .filter((row) => row.parentId === parentId)
    .map((row) => ({ id: row.id, name: row.name, children: buildTree(rows, row.id) }));
}

function findCategory(categories: Category[], id: number): Category | undefined {
  for (const category of categories) {
    const found = category.id === id ? category : findCategory(category.children, id);
    if (found) return found;
  }
  return undefined;
}

const MENU: MenuItem[] = [
  { label: "Home", href: "/" },
  { label: "Shop", items: [{ label: "Books", href: "/books" }] },
];

async function listCategories(e: RequestEvent) {
  return e.json(200, buildTree(await selectCategories()));
}

async function getCategory(e: RequestEvent<"id">) {
  const category = findCategory(buildTree(await selectCategories()), Number(e.pathValue("id")));
  if (!category) throw e.error(404, "There is no such category.");
  return e.json(200, category);
}

async function listRemarks(e: RequestEvent<"id">) {
  const remarks = await selectRemarks(e.pathValue("id"));
  return e.json(200, { count: remarks.length, remarks });
}

function getMenu(e: RequestEvent) {
  return e.json(200, { menu: MENU });
}

async function getRegions(e: RequestEvent) {
  return e.json(200, await regionTree());
}

export function routes(router: VersionedRouter): void {
  router.get("/categories", listCategories);
  router.get("/categories/{id}", getCategory);
  router.get("/posts/{id}/remarks", listRemarks);
  router.get("/menu", getMenu);
  router.get("/regions", getRegions);
}
