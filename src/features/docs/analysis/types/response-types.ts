import { awaitedTypes } from "./awaited.ts";
import type { Compiler, TypeRef } from "./shape.ts";

/** All responses with one status. */
export interface ResponseTypes {
  /** `undefined` if it is not known. */
  readonly status: number | undefined;
  readonly bodies: readonly TypeRef[];
}

export interface FoundResponses {
  /** The lowest status first, an unknown status last. */
  readonly responses: readonly ResponseTypes[];
  /** Whether a part of the type is any, unknown or a type parameter, so that there may be more responses. */
  readonly isUnknown: boolean;
  readonly isOpen: boolean;
}

/** The responses in a type, or in the return type of a function. */
export function findResponses(compiler: Compiler, type: TypeRef): FoundResponses {
  const returned = isObject(compiler, type) ? compiler.returnsOf(type) : [];
  const leaves = (returned.length > 0 ? returned : [type])
    .flatMap((part) => awaitedTypes(compiler, part))
    .flatMap((part) => leavesOf(compiler, part));
  const kinds = leaves.map((leaf) => compiler.shapeOf(leaf).kind);
  const found = leaves.flatMap((leaf) => responsesOf(compiler, leaf));
  return {
    responses: joinByStatus(found),
    isUnknown: kinds.some((kind) => kind === "any" || kind === "unknown" || kind === "error"),
    isOpen: kinds.includes("open") || found.some(({ isOpen }) => isOpen),
  };
}

/** The members of unions and intersections, to any depth. */
function leavesOf(compiler: Compiler, type: TypeRef): readonly TypeRef[] {
  const shape = compiler.shapeOf(type);
  if (shape.kind !== "union" && shape.kind !== "intersection") return [type];
  return shape.members.flatMap((member) => leavesOf(compiler, member));
}

function responsesOf(compiler: Compiler, type: TypeRef) {
  const { name } = compiler.shapeOf(type);
  const [status, body] = name?.arguments ?? [];
  if (name?.name !== "SentResponse" || name.arguments.length !== 2 || !status || !body) return [];
  // Annex's type stores both in a property whose name is a symbol: `[statusAndBody]: …`.
  if (!/\[\w+\]\s*:/.test(name.declaration.text)) return [];
  return leavesOf(compiler, status).flatMap((leaf) => {
    const shape = compiler.shapeOf(leaf);
    if (shape.kind === "never") return [];
    const isKnown = shape.kind === "literal" && typeof shape.value === "number";
    return { status: isKnown ? (shape.value as number) : undefined, body, isOpen: shape.kind === "open" };
  });
}

function joinByStatus(found: readonly { status: number | undefined; body: TypeRef }[]): ResponseTypes[] {
  const joined = Map.groupBy(found, ({ status }) => status);
  return [...joined]
    .map(([status, parts]) => ({ status, bodies: [...new Set(parts.map(({ body }) => body))] }))
    .sort(
      (one, other) => (one.status ?? Number.POSITIVE_INFINITY) - (other.status ?? Number.POSITIVE_INFINITY),
    );
}

function isObject(compiler: Compiler, type: TypeRef): boolean {
  const { kind } = compiler.shapeOf(type);
  return kind === "object" || kind === "intersection";
}
