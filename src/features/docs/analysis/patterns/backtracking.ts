import { type Automaton, countStates, createAutomaton } from "./automaton.ts";
import { createCharacterSets } from "./character-sets.ts";
import { type PatternNode, parsePattern } from "./parse-pattern.ts";
import { findComponents } from "./strongly-connected.ts";

/** Larger patterns are not examined. Most of the states of a large pattern are the words of a list, outside of loops. */
const mostStates = 5_000;

/** With more states in loops, their pairs are too many. */
const mostInLoops = 400;

/** Repetitions in loops up to the first of these numbers that does not make the automaton too large are copied. */
const copies = [64, 4];

/**
 * Whether a pattern can take exponential time: for some texts, the number of ways to match them doubles with each
 * repetition, and the engine tries all of them before it gives up. This is so if a loop has two ways for the same text.
 *
 * ```ts
 * isExponential("^(a+)+$"); // true
 * isExponential("^a+(-a+)*$"); // false
 * ```
 */
export function isExponential(pattern: string): boolean {
  const setOf = createCharacterSets(pattern);
  return withLookarounds(parsePattern(pattern)).some((part) => {
    const mostCopies = copies.find((count) => countStates(part, count) <= mostInLoops) ?? copies.at(-1)!;
    if (countStates(part, mostCopies) > mostStates) return false;
    return hasAmbiguousLoop(createAutomaton(part, setOf, mostCopies));
  });
}

/** The pattern and those of its lookarounds, which match separately. */
function withLookarounds(pattern: PatternNode): PatternNode[] {
  return [pattern, ...innerOf(pattern)];
}

function innerOf(node: PatternNode): PatternNode[] {
  switch (node.kind) {
    case "character":
      return [];
    case "sequence":
      return node.parts.flatMap(innerOf);
    case "choice":
      return node.options.flatMap(innerOf);
    case "repeat":
      return innerOf(node.inner);
    case "assertion":
      return node.inner ? withLookarounds(node.inner) : [];
  }
}

function hasAmbiguousLoop({ sets, next, ends }: Automaton): boolean {
  const nextOf = (state: number) =>
    ends.has(state) ? [] : [...next[state]!.keys()].filter((other) => !ends.has(other));
  const loops = findComponents(sets.keys(), nextOf);
  const inLoop = sets.map((_, state) =>
    nextOf(state).filter((other) => loops.get(other) === loops.get(state)),
  );
  if (inLoop.filter((others) => others.length > 0).length > mostInLoops) return false;
  const hasParallelWays = (others: readonly number[], state: number) =>
    others.some((other) => next[state]!.get(other)! > 1);
  return inLoop.some(hasParallelWays) || hasTwoWays(sets, inLoop);
}

/** Whether two different ways from a state back to itself match the same text. */
function hasTwoWays(sets: Automaton["sets"], inLoop: readonly (readonly number[])[]): boolean {
  const count = sets.length;
  const toPair = (one: number, other: number) => Math.min(one, other) * count + Math.max(one, other);
  const nextPairs = (pair: number) => {
    const [one, other] = [inLoop[Math.floor(pair / count)]!, inLoop[pair % count]!];
    return one.flatMap((a) => other.filter((b) => (sets[a]! & sets[b]!) !== 0n).map((b) => toPair(a, b)));
  };
  const same = [...sets.keys()].map((state) => toPair(state, state));
  const components = findComponents(same, nextPairs);
  const loops = new Set(same.map((pair) => components.get(pair)!));
  const isSame = new Set(same);
  return components.entries().some(([pair, component]) => !isSame.has(pair) && loops.has(component));
}
