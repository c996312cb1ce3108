import type { Argument } from "./interpreter-context.ts";
import { compact, type Summary } from "./summaries.ts";
import { isPlain } from "./values/alternatives.ts";
import { noEffects } from "./values/effects.ts";
import { creationEpoch, type FunctionValue, unknown } from "./values/value.ts";
import { bodiesKey, keyOf } from "./values/value-keys.ts";

const maxDepth = 200;

/** How many levels of recursion with different constants are followed separately. */
const maxNesting = 4;

/** Constants that differ between recursive calls are unknown in the next call. */
function widenArguments(args: readonly Argument[], before: readonly Argument[]): Argument[] {
  return args.map((argument, index) => {
    const isOther = keyOf(argument.value) !== keyOf(before[index]?.value ?? unknown);
    return isOther && argument.value.kind === "literal" ? { ...argument, value: unknown } : argument;
  });
}

/**
 * The summary of a function in a recursive cycle whose outer function is not finished. The outer function includes all
 * effects, because they occur inside it.
 */
interface Draft {
  readonly summary: Summary;
  readonly depth: number;
  readonly unfinished: number;
}

/** Decides which calls are followed again: every function once for each set of arguments, recursive ones included. */
export class Summarizer {
  /** The method of the current route. */
  method: string | undefined;
  private readonly summaries = new Map<string, Summary>();
  private readonly drafts = new Map<string, Draft>();
  /** The active functions with their depths. */
  private readonly active = new Map<string, number>();
  /** The arguments of each active function, once per nested call. */
  private readonly nesting = new Map<FunctionValue["node"], readonly (readonly Argument[])[]>();
  /** The outermost active function whose unfinished summary was used. Summaries inside it must not be cached. */
  private unfinished = Number.POSITIVE_INFINITY;
  /** The oldest object changed since the current function started. */
  private touched = Number.POSITIVE_INFINITY;
  /** Whether the effects of the current function depend on the method. */
  private usesMethod = false;

  /** Starts with another handler. The summaries of helpers remain. */
  begin(method: string | undefined): void {
    this.method = method;
    this.active.clear();
    this.nesting.clear();
    this.drafts.clear();
    this.unfinished = Number.POSITIVE_INFINITY;
  }

  forget(): void {
    this.summaries.clear();
    this.drafts.clear();
  }

  useMethod(): void {
    this.usesMethod = true;
  }

  touch(createdIn: number): void {
    this.touched = Math.min(this.touched, createdIn);
  }

  /** The summary of a call. `run` follows the function, unless its summary is known or it calls itself. */
  summarize(
    callee: FunctionValue,
    given: readonly Argument[],
    run: (args: readonly Argument[]) => Summary,
  ): Summary {
    const outer = this.nesting.get(callee.node) ?? [];
    const args = outer.length > maxNesting ? widenArguments(given, outer.at(-1)!) : given;
    const key = `${keyOf(callee)}(${args.map(({ value, bodies }) => keyOf(value) + bodiesKey(bodies)).join()})`;
    return this.recall(key) ?? this.takeDraft(key) ?? this.follow(key, callee.node, args, run);
  }

  private recall(key: string): Summary | undefined {
    const known = this.summaries.get(key);
    if (known) return known;
    const ofMethod = this.summaries.get(this.keyOfMethod(key));
    if (ofMethod) this.usesMethod = true;
    return ofMethod;
  }

  /** What is known of a function that is being followed, or that is too deep to follow. */
  private takeDraft(key: string): Summary | undefined {
    const running = this.active.get(key);
    const draft = this.drafts.get(key);
    if (running === undefined && !draft && this.active.size <= maxDepth) return undefined;
    this.unfinished = Math.min(this.unfinished, running ?? draft?.unfinished ?? 0);
    return draft?.summary ?? { effects: noEffects(), returns: unknown, comesBack: true };
  }

  private follow(
    key: string,
    node: FunctionValue["node"],
    args: readonly Argument[],
    run: (args: readonly Argument[]) => Summary,
  ): Summary {
    const outer = this.nesting.get(node) ?? [];
    const depth = this.active.size;
    const before = this.unfinished;
    const touchedBefore = this.touched;
    const usedMethodBefore = this.usesMethod;
    this.usesMethod = false;
    this.unfinished = Number.POSITIVE_INFINITY;
    this.touched = Number.POSITIVE_INFINITY;
    this.active.set(key, depth);
    this.nesting.set(node, [...outer, args]);
    const birth = ++creationEpoch.now;
    try {
      const summary = compact(run(args));
      // A function that changes existing objects, or returns mutable ones, does so on every call, so its summary is not
      // reused.
      const isRepeatable = this.touched >= birth && isPlain(summary.returns);
      if (!isRepeatable) this.drafts.delete(key);
      else if (this.unfinished >= depth) this.finish(key, depth, summary);
      else this.drafts.set(key, { summary, depth, unfinished: this.unfinished });
      return summary;
    } finally {
      this.active.delete(key);
      this.nesting.set(node, outer);
      this.touched = Math.min(touchedBefore, this.touched);
      this.usesMethod ||= usedMethodBefore;
      this.unfinished = Math.min(
        before,
        this.unfinished < depth ? this.unfinished : Number.POSITIVE_INFINITY,
      );
    }
  }

  private keyOfMethod(key: string): string {
    return `${this.method} ${key}`;
  }

  /** Mutually recursive functions are complete when the outermost one is. The drafts of the others are discarded. */
  private finish(key: string, depth: number, summary: Summary): void {
    this.summaries.set(this.usesMethod ? this.keyOfMethod(key) : key, summary);
    for (const [other, draft] of this.drafts) if (draft.depth > depth) this.drafts.delete(other);
  }
}
