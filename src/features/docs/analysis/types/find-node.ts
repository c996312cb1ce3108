import type { TypeQuery } from "./query.ts";

/** The common part of both compilers' syntax trees. */
export interface SyntaxNode<N> {
  readonly pos: number;
  readonly end: number;
  getStart(): number;
  forEachChild<T>(visit: (node: N) => T): T | undefined;
}

/** The node that a query refers to, in a syntax tree of either compiler. */
export function findNode<N extends SyntaxNode<N>>(
  root: N,
  query: TypeQuery,
  isTypeNode: (node: N) => boolean,
): N | undefined {
  const around = nodesAround(root, query);
  const exact = around.filter((node) => node.end === query.end && node.getStart() === query.start);
  if (query.kind === "type") return exact.find(isTypeNode) ?? exact.at(-1);
  if (query.kind === "responses")
    return exact.findLast(hasBody) ?? exact.at(-1) ?? findFunction(around, query);
  return exact.at(-1);
}

/** Outermost first. */
function nodesAround<N extends SyntaxNode<N>>(root: N, { start, end }: TypeQuery): N[] {
  const found: N[] = [];
  for (let node: N | undefined = root; node; ) {
    found.push(node);
    node = node.forEachChild((child) => (child.pos <= start && end <= child.end ? child : undefined));
  }
  return found;
}

/** Parsers disagree about the start of a function: `export`, its name or its parameters. All agree on its end. */
function findFunction<N extends SyntaxNode<N>>(
  around: readonly N[],
  { start, end }: TypeQuery,
): N | undefined {
  return around.findLast((node) => node.end === end && hasBody(node) && node.body.getStart() >= start);
}

function hasBody<N extends SyntaxNode<N>>(node: N): node is N & { body: N } {
  return "body" in node && node.body !== undefined && node.body !== null;
}
