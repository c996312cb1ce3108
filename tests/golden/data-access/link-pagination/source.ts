// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Repository {
  id: number;
  name: string;
  private: boolean;
  pushedAt: Date | null;
}

declare function selectPage(offset: number, limit: number): Promise<{ rows: Repository[]; total: number }>;
declare function selectAfter(
  cursor: string | undefined,
): Promise<{ rows: Repository[]; next: string | null }>;

function pageOf(e: RequestEvent): number {
  const page = Number(e.query("page") ?? "1");
  if (!Number.isInteger(page) || page < 1) throw e.error(400, "A page is a positive integer.");
  return page;
}

/** Lists repositories, page by page. The neighbouring pages are in the Link header. */
async function listRepositories(e: RequestEvent) {
  const page = pageOf(e);
  const size = Math.min(Number(e.query("per_page") || 20), 100);
  const { rows, total } = await selectPage((page - 1) * size, size);
  const last = Math.max(1, Math.ceil(total / size));

  const links: string[] = [];
  if (page > 1) links.push(`</repositories?page=${page - 1}>; rel="prev"`);
  if (page < last) links.push(`</repositories?page=${page + 1}>; rel="next"`);
  if (links.length > 0) e.setHeader("Link", links.join(", "));
  e.setHeader("X-Total-Count", total);
  return e.json(200, rows);
}

async function syncRepositories(e: RequestEvent) {
  const { rows, next } = await selectAfter(e.query("after"));
  if (rows.length === 0) return e.noContent();
  if (next) e.setHeader("Link", `</sync?after=${encodeURIComponent(next)}>; rel="next"`);
  return e.json(200, { count: rows.length, names: rows.map((row) => row.name), next });
}

export function routes(router: VersionedRouter): void {
  router.get("/repositories", listRepositories);
  router.get("/sync", syncRepositories);
}
