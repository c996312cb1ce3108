// API_SOURCE
import { randomBytes } from "node:crypto";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Link {
  slug: string;
  target: string;
  permanent: boolean;
  expiresAt: Date | null;
  createdAt: Date;
}

interface StoredLink extends Link {
  editToken: string;
  visits: Date[];
}

interface NewLink {
  url: string;
  slug?: string;
  lifetime?: "day" | "month" | "forever";
}

const DAY = 24 * 60 * 60 * 1000;
const links = new Map<string, StoredLink>();

function linkOf(e: RequestEvent<"slug">): StoredLink {
  const link = links.get(e.pathValue("slug"));
  if (!link) throw e.error(404, "There is no such link.");
  return link;
}

function daysOf(e: RequestEvent): number {
  const days = Number(e.query("days") ?? 30);
  if (!Number.isInteger(days) || days <= 0 || days > 365) throw e.error(400, "Ask for 1 to 365 days.");
  return days;
}

function expiryOf(lifetime: NewLink["lifetime"]): Date | null {
  switch (lifetime) {
    case "day":
      return new Date(Date.now() + DAY);
    case "month":
      return new Date(Date.now() + 30 * DAY);
    default:
      return null;
  }
}

/** Shortens an address. The token in the answer is needed to delete the link. */
export async function createLink(e: RequestEvent) {
  const { url, slug = randomBytes(4).toString("hex"), lifetime } = await e.bindBody<NewLink>();
  if (!URL.canParse(url)) throw e.error(422, "This is not an address.");
  if (links.has(slug)) throw e.error(409, "The name is taken.");
  const editToken = randomBytes(16).toString("base64url");
  const expiresAt = expiryOf(lifetime);
  links.set(slug, {
    slug,
    target: url,
    permanent: expiresAt === null,
    expiresAt,
    createdAt: new Date(),
    editToken,
    visits: [],
  });
  e.setHeader("Location", `/links/${slug}`);
  return e.json(201, { slug, editToken });
}

/** Tells where a link leads, without going there. */
export function getLink(e: RequestEvent<"slug">) {
  const { editToken: _, visits, ...link } = linkOf(e);
  return e.json(200, { ...link, visits: visits.length });
}

/** Follows a link. */
export function followLink(e: RequestEvent<"slug">) {
  const link = linkOf(e);
  if (link.expiresAt && link.expiresAt < new Date()) throw e.error(410, "The link has expired.");
  link.visits.push(new Date());
  return e.redirect(link.permanent ? 301 : 302, link.target);
}

/** Deletes a link. */
export function deleteLink(e: RequestEvent<"slug">) {
  const token = e.header("X-Edit-Token");
  if (token === undefined) throw e.error(401, "Send the token of the link.");
  const link = linkOf(e);
  if (token !== link.editToken) throw e.error(403, "This is not the token of the link.");
  links.delete(link.slug);
  return e.noContent();
}

/** Returns how often a link was followed, day by day. */
export function linkStatistics(e: RequestEvent<"slug">) {
  const since = Date.now() - daysOf(e) * DAY;
  const perDay: Record<string, number> = {};
  for (const visit of linkOf(e).visits) {
    if (visit.getTime() < since) continue;
    const day = visit.toISOString().slice(0, 10);
    perDay[day] = (perDay[day] ?? 0) + 1;
  }
  return e.json(200, perDay);
}

export function routes(router: VersionedRouter): void {
  router.post("/links", createLink);
  router.get("/links/{slug}", getLink);
  router.delete("/links/{slug}", deleteLink);
  router.get("/links/{slug}/statistics", linkStatistics);
  router.get("/go/{slug}", followLink);
}
