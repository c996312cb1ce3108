/** One resource of the API that every tool is given, with ten operations. */
export interface Resource {
  /** `Book12` */
  readonly name: string;
  /** `book12` */
  readonly path: string;
  readonly fields: readonly Field[];
  /** Another resource, whose types this one imports. */
  readonly neighbour: string;
}

interface Field {
  readonly name: string;
  readonly type: string;
}

export const operationsPerResource = 10;

/** What a document of one resource should tell, had it everything. */
export const contentOfResource = { notFound: 6, bodies: 4, queries: 3, responses: 9 };

/** The operations of a resource: method, path below the API, and what it is called. */
export const operations = [
  { method: "get", path: "", name: "list" },
  { method: "post", path: "", name: "create" },
  { method: "get", path: "-summary", name: "summarise" },
  { method: "get", path: "-search", name: "search" },
  { method: "get", path: "/{id}", name: "get" },
  { method: "put", path: "/{id}", name: "update" },
  { method: "delete", path: "/{id}", name: "remove" },
  { method: "patch", path: "/{id}/status", name: "setStatus" },
  { method: "get", path: "/{id}/events", name: "listEvents" },
  { method: "post", path: "/{id}/related", name: "relate" },
] as const;

const nouns = ["Book", "Order", "Invoice", "Ticket", "Device", "Course", "Member", "Parcel"];

const text = (name: string): Field => ({ name, type: "string" });
const number = (name: string): Field => ({ name, type: "number" });
const flag = (name: string): Field => ({ name, type: "boolean" });
const list = (name: string): Field => ({ name, type: "string[]" });

const fieldSets: readonly (readonly Field[])[] = [
  [text("title"), number("pages"), list("authors"), flag("lent")],
  [text("customer"), number("total"), text("currency"), list("lines"), flag("paid")],
  [text("subject"), text("reporter"), number("priority")],
  [text("serial"), text("model"), number("voltage"), number("weight"), flag("online"), list("places")],
];

export function createResources(handlers: number): Resource[] {
  const count = Math.ceil(handlers / operationsPerResource);
  const nameOf = (index: number) => `${nouns[index % nouns.length]}${index}`;
  return Array.from({ length: count }, (_, index) => ({
    name: nameOf(index),
    path: nameOf(index).toLowerCase(),
    fields: fieldSets[index % fieldSets.length]!,
    neighbour: nameOf((index + 1) % count),
  }));
}

/** `listBook12` */
export const handlerName = (operation: string, { name }: Resource): string => `${operation}${name}`;
