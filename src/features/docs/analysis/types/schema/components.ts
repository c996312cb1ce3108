import { limits } from "../limits.ts";
import type { RawComponent, RawSchema, TypeProblem } from "../query.ts";
import type { TypeRef } from "../shape.ts";
import type { NamedType } from "./naming.ts";
import { type ConverterParts, convertComponent, type Piece } from "./schema.ts";
import { settleUnion } from "./union.ts";

/** Everything that a piece refers to, directly and indirectly. */
export interface Closure {
  readonly identities: readonly string[];
  readonly isOpen: boolean;
  /** Whether it exceeds the limit for readable documents. */
  readonly isTooLarge: boolean;
  readonly problems: readonly TypeProblem[];
  readonly inexact: readonly TypeProblem[];
}

export interface Components {
  /** Builds the components that the piece refers to and settles its unions. */
  complete(piece: Piece): Closure;
  rawComponents(identities: Iterable<string>): Record<string, RawComponent>;
}

/** Each component is converted once and independently of where it was first used: a schema depends only on its type. */
export function createComponents(parts: ConverterParts): Components {
  const built = new Map<string, { named: NamedType; piece: Piece }>();
  const settled = new Set<Piece>();

  function build(identity: string, type: TypeRef): Piece {
    const known = built.get(identity);
    if (known) return known.piece;
    const { naming } = parts;
    const own = naming.nameOf(type);
    const named = own?.identity === identity ? own : naming.inventName(type)!;
    const piece = convertComponent(parts, type, named);
    built.set(identity, { named, piece });
    return piece;
  }

  function complete(piece: Piece): Closure {
    const found = new Map<string, Piece>();
    const waiting = [...piece.refs];
    for (let next = waiting.shift(); next && found.size <= limits.components; next = waiting.shift()) {
      const [identity, type] = next;
      if (found.has(identity)) continue;
      const component = build(identity, type);
      found.set(identity, component);
      waiting.push(...component.refs);
    }
    const isTooLarge = found.size > limits.components;
    const pieces = [piece, ...found.values()];
    if (!isTooLarge) for (const one of pieces) settle(one);
    return {
      identities: [...found.keys()].sort(),
      isOpen: pieces.some(({ isOpen }) => isOpen),
      isTooLarge,
      problems: pieces.flatMap(({ problems }) => problems),
      inexact: pieces.flatMap(({ inexact }) => inexact),
    };
  }

  function settle(piece: Piece): void {
    if (settled.has(piece)) return;
    settled.add(piece);
    for (const union of piece.unions) settleUnion(union, schemaOf);
  }

  const schemaOf = (identity: string): RawSchema | undefined => built.get(identity)?.piece.schema;

  function rawComponents(identities: Iterable<string>): Record<string, RawComponent> {
    const entries = [...new Set(identities)].sort().map((identity) => {
      const { named, piece } = built.get(identity)!;
      const { file, line } = named.place;
      return [identity, { name: named.name, schema: piece.schema ?? {}, file, line }] as const;
    });
    return Object.fromEntries(entries);
  }

  return { complete, rawComponents };
}
