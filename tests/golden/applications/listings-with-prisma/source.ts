// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { PrismaClientKnownRequestError, prisma } from "./prisma-client.ts";

interface NewListing {
  title: string;
  city: string;
  price: number;
  agentId: number;
}

/** Searches listings. */
async function searchListings(e: RequestEvent) {
  const highest = Number(e.query("max_price") ?? 1_000_000);
  if (Number.isNaN(highest) || highest <= 0) throw e.error(400, "max_price must be a price.");
  const listings = await prisma.listing.findMany({
    where: { city: e.query("city"), title: { contains: e.query("q") ?? "" }, price: { lte: highest } },
    select: { id: true, title: true, city: true, price: true, photos: true },
    orderBy: { createdAt: "desc" },
    take: 50,
  });
  return e.json(200, listings);
}

/** Returns a listing with its agent. */
async function getListing(e: RequestEvent<"id">) {
  const listing = await prisma.listing.findUnique({
    where: { id: Number(e.pathValue("id")) },
    include: { agent: true },
  });
  if (!listing) throw e.error(404, "There is no such listing.");
  return e.json(200, listing);
}

/** Adds a listing. */
async function addListing(e: RequestEvent) {
  const input = await e.bindBody<NewListing>();
  const listing = await prisma.listing.create({ data: { ...input, state: "offered" } });
  return e.json(201, listing);
}

/** Marks a listing as sold. */
async function sellListing(e: RequestEvent<"id">) {
  try {
    const id = Number(e.pathValue("id"));
    const sold = await prisma.listing.update({
      where: { id },
      data: { state: "sold" },
      select: { id: true, state: true },
    });
    return e.json(200, sold);
  } catch (error) {
    if (error instanceof PrismaClientKnownRequestError && error.code === "P2025") {
      throw e.error(404, "There is no such listing.");
    }
    throw error;
  }
}

/** Counts the listings of an agent. */
async function countListings(e: RequestEvent<"agentId">) {
  const count = await prisma.listing.count({ where: { agentId: Number(e.pathValue("agentId")) } });
  return e.json(200, { count });
}

export function routes(router: VersionedRouter): void {
  router.get("/listings", searchListings);
  router.post("/listings", addListing);
  router.get("/listings/{id}", getListing);
  router.post("/listings/{id}/sell", sellListing);
  router.get("/agents/{agentId}/listing-count", countListings);
}
