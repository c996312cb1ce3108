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

/** Outside of loops, repetitions up to this number are copied. More are treated as a loop. */
const fewCopies = 4;

const nothing: Part = { isOptional: true, isSkippable: true, first: [], last: [], freeLast: [] };

/**
 * Creates the automaton of a pattern. In a loop, repetitions up to `mostCopies` are copied: `(a{8})+` is not ambiguous,
 * but would be if `a{8}` were a loop itself.
 */
export function createAutomaton(
  pattern: PatternNode,
  setOf: (source: string) => CharacterSet,
  mostCopies: number,
): Automaton {
  const sets: CharacterSet[] = [];
  const next: Map<number, number>[] = [];

  function connect(from: readonly number[], to: readonly number[]): void {
    for (const one of from) {
      for (const other of to) next[one]!.set(other, (next[one]!.get(other) ?? 0) + 1);
    }
  }

  function build(node: PatternNode, isInLoop: boolean): Part {
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
        return node.parts.map((part) => () => build(part, isInLoop)).reduce(append, nothing);
      case "choice":
        return node.options.map((option) => build(option, isInLoop)).reduce(either);
      case "repeat":
        return repeat(node, isInLoop);
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

  function repeat({ inner, min, max }: Extract<PatternNode, { kind: "repeat" }>, isInLoop: boolean): Part {
    if (max > (isInLoop ? mostCopies : fewCopies)) return loop(build(inner, true), min, max);
    const first = build(inner, isInLoop);
    // Each copy that can be empty would be connected to all others.
    if (first.isOptional && max > fewCopies) return loop(first, min, max);
    const unused = [first];
    const copy = () => unused.pop() ?? build(inner, isInLoop);
    let part = nothing;
    const optional = Array.from({ length: max - min }).reduce<() => Part>(
      (rest) => () => orNothing(append(copy(), rest)),
      () => nothing,
    );
    for (let count = 0; count < min; count++) part = append(part, copy);
    return append(part, optional);
  }

  function loop(part: Part, min: number, max: number): Part {
    connect(part.last, part.first);
    // Each of a limited number of optional parts can be the one that is skipped.
    if (part.isOptional && max !== Infinity) connect(part.last, part.first);
    return min === 0 ? orNothing(part) : part;
  }

  const { freeLast } = build(pattern, false);
  return { sets, next, ends: new Set(freeLast) };
}

/** How many states the automaton has at most. */
export function countStates(node: PatternNode, mostCopies: number): number {
  const count = (inner: PatternNode) => countStates(inner, mostCopies);
  switch (node.kind) {
    case "character":
      return 1;
    case "assertion":
      return 0;
    case "sequence":
      return sum(node.parts.map(count));
    case "choice":
      return sum(node.options.map(count));
    case "repeat":
      return count(node.inner) * (node.max > mostCopies ? 1 : node.max);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

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
