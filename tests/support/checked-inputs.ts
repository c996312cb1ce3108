import { z } from "zod";
import type { RequestEvent, Router } from "../../src/index.ts";

/**
 * Handlers that declare their bodies as types, and the same types as zod schemas. The document is made from the types,
 * so both have to accept the same values.
 */

type Country = "DE" | "FR" | "IT";

interface Address {
  street: string;
  /** @minLength 4 @maxLength 8 */
  zip: string;
  country: Country;
}

interface Person {
  /** @minLength 1 @maxLength 40 */
  name: string;
  /** @integer @minimum 0 @maximum 150 */
  age?: number;
  /** @format email */
  email: string;
  address: Address | null;
  /** @maxItems 4 */
  tags: string[];
  scores: Record<string, number>;
  meta?: unknown;
}

type Shape =
  | { kind: "circle"; radius: number }
  | { kind: "rectangle"; width: number; height: number }
  | { kind: "path"; points: { x: number; y: number }[]; isClosed: boolean };

interface Drawing {
  shapes: Shape[];
  background: string | null;
  cover?: Shape | null;
}

interface Tree {
  /** @exclusiveMinimum 0 */
  value: number;
  children: Tree[];
}

interface Order {
  items: { sku: string; count: number }[];
  priority: 1 | 2 | 3;
  isExpress: boolean;
  payment: string | number | { iban: string } | null;
  /** @format date-time */
  due?: string;
  state: "open" | 7 | false;
}

const accept = (e: RequestEvent) => e.json(200, { reached: true });

export async function putPerson(e: RequestEvent) {
  await e.bindBody<Person>();
  return accept(e);
}

export async function putDrawing(e: RequestEvent) {
  await e.bindBody<Drawing>();
  return accept(e);
}

export async function putTree(e: RequestEvent) {
  await e.bindBody<Tree>();
  return accept(e);
}

export async function putOrder(e: RequestEvent) {
  await e.bindBody<Order>();
  return accept(e);
}

/** Lists orders. Only the types count: the values are not validated here. */
export function listOrders(e: RequestEvent) {
  const page = Number.parseInt(e.query("page") ?? "1", 10);
  const most = Number(e.query("most") ?? "10");
  const isOpen = e.query("open") === "true";
  const states = e.queryAll("state");
  const sort = e.query("sort");
  if (sort === undefined)
    throw e.error(400, "sort is missing", { sort: { code: "required", message: "Required." } });
  return e.json(200, { reached: true, page, most, isOpen, states, sort });
}

export function addRoutes(router: Router): void {
  router.post("/persons", putPerson);
  router.post("/drawings", putDrawing);
  router.post("/trees", putTree);
  router.post("/orders", putOrder);
  router.get("/orders", listOrders);
}

const country = z.enum(["DE", "FR", "IT"]);
/** JSON Schema counts characters, and zod counts UTF-16 units. */
const textOf = (least: number, most: number) =>
  z.string().refine((text) => [...text].length >= least && [...text].length <= most);
const integer = z.number().refine(Number.isInteger);

const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("rectangle"), width: z.number(), height: z.number() }),
  z.object({
    kind: z.literal("path"),
    points: z.array(z.object({ x: z.number(), y: z.number() })),
    isClosed: z.boolean(),
  }),
]);

const tree: z.ZodType<Tree> = z.object({
  value: z.number().gt(0),
  get children() {
    return z.array(tree);
  },
});

/** By path. */
export const zodSchemas: Readonly<Record<string, z.ZodType>> = {
  "/persons": z.object({
    name: textOf(1, 40),
    age: integer.refine((age) => age >= 0 && age <= 150).optional(),
    email: z.email(),
    address: z.object({ street: z.string(), zip: textOf(4, 8), country }).nullable(),
    tags: z.array(z.string()).max(4),
    scores: z.record(z.string(), z.number()),
    meta: z.unknown().optional(),
  }),
  "/drawings": z.object({
    shapes: z.array(shape),
    background: z.string().nullable(),
    cover: shape.nullable().optional(),
  }),
  "/trees": tree,
  "/orders": z.object({
    items: z.array(z.object({ sku: z.string(), count: z.number() })),
    priority: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    isExpress: z.boolean(),
    payment: z.union([z.string(), z.number(), z.object({ iban: z.string() }), z.null()]),
    due: z.iso.datetime({ offset: true }).optional(),
    state: z.union([z.literal("open"), z.literal(7), z.literal(false)]),
  }),
};
