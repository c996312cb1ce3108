// API_SOURCE
import { z } from "zod";
import type { RequestEvent, Router } from "../../../../src/index.ts";

const Page = z.object({ page: z.coerce.number().int().min(1).default(1) });
const Search = z.object({ tenant: z.enum(["canary-main", "north"]).default("canary-main") });

function demandUser(e: RequestEvent): string {
  if (!e.auth) throw e.error(401, "Sign in.");
  return e.auth.id;
}

/** The default is shown: the identity decides, not the query. */
async function listAfter(e: RequestEvent) {
  const { page } = await e.bindQuery(Page);
  demandUser(e);
  return e.json(200, { page });
}

/** The same, before the query is read. */
async function listBefore(e: RequestEvent) {
  if (!e.auth) throw e.error(401, "Sign in.");
  const { page } = await e.bindQuery(Page);
  if (e.auth.id !== "owner") throw e.error(403, "Not yours.");
  return e.json(200, { page });
}

/** The same, with a validator that the handler calls. */
async function listParsed(e: RequestEvent) {
  demandUser(e);
  const { page } = Page.parse(Object.fromEntries(e.url.searchParams));
  return e.json(200, { page });
}

/** The query decides, so its values are not shown. */
async function listTenant(e: RequestEvent) {
  const { tenant } = await e.bindQuery(Search);
  if (tenant !== "canary-main") throw e.error(403, "Not yours.");
  return e.json(200, { tenant });
}

function readTenant(e: RequestEvent) {
  return e.bindQuery(Search);
}

function isOwn(search: { tenant: string }): boolean {
  return search.tenant === "canary-main";
}

/** The same, through helpers. */
async function listThroughHelpers(e: RequestEvent) {
  const search = await readTenant(e);
  const isAllowed = isOwn(search);
  if (!isAllowed) throw e.error(403, "Not yours.");
  return e.json(200, { ok: true });
}

/** The same, because invalid queries are refused with 401. */
async function listCaught(e: RequestEvent) {
  try {
    await e.bindQuery(Search);
  } catch {
    throw e.error(401, "Sign in.");
  }
  return e.json(200, { ok: true });
}

/** The same, with a validator that the handler calls. */
async function listParsedTenant(e: RequestEvent) {
  const search = Search.safeParse(Object.fromEntries(e.url.searchParams));
  if (!search.success || search.data.tenant !== "canary-main") return e.json(403, { error: "Not yours." });
  return e.json(200, { ok: true });
}

/** The same, with a status that depends on the query. */
async function listStatus(e: RequestEvent) {
  const { tenant } = await e.bindQuery(Search);
  return e.json(tenant === "canary-main" ? 200 : 401, { ok: true });
}

export function routes(router: Router): void {
  router.get("/after", listAfter);
  router.get("/before", listBefore);
  router.get("/parsed", listParsed);
  router.get("/tenant", listTenant);
  router.get("/helpers", listThroughHelpers);
  router.get("/caught", listCaught);
  router.get("/parsed-tenant", listParsedTenant);
  router.get("/status", listStatus);
}
