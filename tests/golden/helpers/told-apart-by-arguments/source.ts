// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import * as books from "./books.ts";
import * as films from "./films.ts";

declare const isAdmin: boolean;
declare function list(...values: unknown[]): string[];
declare function configured(): string;

function read(e: RequestEvent, name: string) {
  return e.query(name);
}

function byUnions(e: RequestEvent) {
  const from = read(e, isAdmin ? "from" : "since");
  return e.json(200, list(from, read(e, isAdmin ? "to" : "until")));
}

function byDefaults(e: RequestEvent) {
  const limit = Number(read(e, "limit") ?? 10);
  return e.json(200, list(limit, Number(read(e, "limit")), Number(read(e, "limit") ?? configured())));
}

interface Finder {
  find(e: RequestEvent): string | undefined;
}

const findIn = (e: RequestEvent, finder: Finder) => finder.find(e);

function byModules(e: RequestEvent) {
  return e.json(200, list(findIn(e, books), findIn(e, films)));
}

class Songs {
  static find(e: RequestEvent) {
    return e.query("artist");
  }
}

class Games {
  static find(e: RequestEvent) {
    return e.query("studio");
  }
}

function byClasses(e: RequestEvent) {
  return e.json(200, list(findIn(e, Songs), findIn(e, Games)));
}

const parse = (e: RequestEvent, parser: (text: string) => unknown) => parser(e.query("year")!);

function byNatives(e: RequestEvent) {
  return e.json(200, list(parse(e, Number), parse(e, Number.parseInt)));
}

const tenantBy = (read: (name: string) => string | undefined) => read("tenant");

function byMethods(e: RequestEvent) {
  return e.json(200, list(tenantBy(e.query.bind(e)) ?? tenantBy(e.header.bind(e))));
}

const isOneOf = (e: RequestEvent, name: string, values: string[]) => values.includes(e.query(name)!);

function refuse(e: RequestEvent, isFine: boolean) {
  if (!isFine) throw e.error(400, "That is none of them.");
}

function byChecks(e: RequestEvent) {
  refuse(e, isOneOf(e, "sort", ["name", "age"]));
  refuse(e, isOneOf(e, "order", ["asc", "desc"]));
  return e.json(200, list());
}

interface NewBook {
  title: string;
}

interface NewFilm {
  minutes: number;
}

function keep<T>(thing: T): T {
  list(thing);
  return thing;
}

async function addBook(e: RequestEvent) {
  return e.json(201, keep((await e.bindBody()) as NewBook));
}

async function addFilm(e: RequestEvent) {
  return e.json(201, keep((await e.bindBody()) as NewFilm));
}

function reader(e: RequestEvent) {
  let name = "first";
  return () => {
    const value = e.query(name);
    name = "second";
    return value;
  };
}

function byReaders(e: RequestEvent) {
  const one = reader(e);
  const first = one();
  const other = reader(e);
  return e.json(200, list(first, other()));
}

function reply(e: RequestEvent, data: { ok: boolean; id?: string } = { ok: true }, status: 200 | 201 = 200) {
  return e.json(status, data);
}

function byDefaultParameters(e: RequestEvent) {
  return reply(e);
}

function byAllParameters(e: RequestEvent) {
  return reply(e, { ok: true, id: "1" }, 201);
}

const acknowledge = (e: RequestEvent, note?: { text: string }) => e.json(200, note);

function byMissingParameters(e: RequestEvent) {
  return acknowledge(e);
}

export function routes(router: VersionedRouter): void {
  router.get("/unions", byUnions);
  router.get("/defaults", byDefaults);
  router.get("/modules", byModules);
  router.get("/classes", byClasses);
  router.get("/natives", byNatives);
  router.get("/methods", byMethods);
  router.get("/checks", byChecks);
  router.post("/books", addBook);
  router.post("/films", addFilm);
  router.get("/readers", byReaders);
  router.get("/reply", byDefaultParameters);
  router.post("/reply", byAllParameters);
  router.put("/reply", byMissingParameters);
}
