import type { CharacterSet } from "./character-sets.ts";
import type { PatternNode } from "./parse-pattern.ts";

/**
 * The ways through a pattern. A state is a position of the pattern that matches one character. This is the automaton of
 * Glushkov, with one addition: it counts the ways from one state to the next, because `(a*)*` has two from `a` to `a`.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[];
  /** For each state, the next states and the number of ways to them. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** States after which the pattern has matched, whatever follows. The engine goes no further. */
  readonly ends: ReadonlySet<number>;
}

/** A part of a pattern: the states that it can begin and end with. */
interface Part {
  readonly isOptional: boolean;
  /** Whether it can be skipped without a condition, such as `$`. */
  readonly isSkippable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** The states after which it can end without a condition. */
  readonly freeLast: readonly number[];
}

/** Repetitions up to this number are copied. More are treated as a loop. */
const mostCopies = 4;

const nothing: Part = { isOptional: true, isSkippable: true, first: [], last: [], freeLast: [] };

export function createAutomaton(pattern: PatternNode, setOf: (source: string) => CharacterSet): Automaton {
  const sets: CharacterSet[] = [];
  const next: Map<number, number>[] = [];

  function connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from) {
      for (const other of to) next[one]!.set(other, (next[one]!.get(other) ?? 0) + 1);
    }
  }

  function build(node: PatternNode): Part {
    switch (node.kind) {
      case "character": {
        const state = sets.push(setOf(node.source)) - 1;
        next.push(new Map());
        const own = [state];
        return { isOptional: false, isSkippable: false, first: own, last: own, freeLast: own };
      }
      case "assertion":
        return { ...nothing, isSkippable: false };
      case "sequence":
        return node.parts.map((part) => () => build(part)).reduce(append, nothing);
      case "choice":
        return node.options.map(build).reduce(either);
      case "repeat":
        return repeat(node);
    }
  }

  function append(before: Part, buildAfter: () => Part): Part {
    const after = buildAfter();
    connect(before.last, after.first);
    return {
      isOptional: before.isOptional && after.isOptional,
      isSkippable: before.isSkippable && after.isSkippable,
      first: before.isOptional ? [...before.first, ...after.first] : before.first,
      last: after.isOptional ? [...before.last, ...after.last] : after.last,
      freeLast: after.isSkippable ? [...before.freeLast, ...after.freeLast] : after.freeLast,
    };
  }

  function repeat({ inner, min, max }: Extract<PatternNode, { kind: "repeat" }>): Part {
    if (max > mostCopies) return loop(build(inner), min, max);
    let part = nothing;
    const optional = Array.from({ length: max - min }).reduce<() => Part>(
      (rest) => () => orNothing(append(build(inner), rest)),
      () => nothing,
    );
    for (let count = 0; count < min; count++) part = append(part, () => build(inner));
    return append(part, optional);
  }

  function loop(part: Part, min: number, max: number): Part {
    connect(part.last, part.first);
    // Each of a limited number of optional parts can be the one that is skipped.
    if (part.isOptional && max !== Infinity) connect(part.last, part.first);
    return min === 0 ? orNothing(part) : part;
  }

  const { freeLast } = build(pattern);
  return { sets, next, ends: new Set(freeLast) };
}

const orNothing = (part: Part): Part => ({ ...part, isOptional: true, isSkippable: true });

function either(one: Part, other: Part): Part {
  return {
    isOptional: one.isOptional || other.isOptional,
    isSkippable: one.isSkippable || other.isSkippable,
    first: [...one.first, ...other.first],
    last: [...one.last, ...other.last],
    freeLast: [...one.freeLast, ...other.freeLast],
  };
}
