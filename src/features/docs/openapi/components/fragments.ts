import { rename } from "./names.ts";
import { listReferences } from "./walk.ts";

/** An operation or a schema, with its most recent text. */
export interface Fragment {
  /** References are identities, not names. */
  readonly value: object;
  readonly references: readonly string[];
  written: { readonly names: string; readonly text: string } | undefined;
}

/** A source has few contexts at a time: with and without source locations. */
const mostContexts = 4;

/** Caches the fragments of documents for as long as their sources exist. */
export class Fragments {
  private readonly kept = new WeakMap<object, Map<string, Fragment>>();

  /** The fragment created from `source`. `context` identifies everything else that it depends on. */
  get(source: object, context: string, create: () => object): Fragment {
    const known = this.kept.get(source) ?? new Map<string, Fragment>();
    const ready = known.get(context);
    if (ready) return ready;
    if (known.size >= mostContexts) known.clear();
    const value = create();
    const fragment = { value, references: listReferences(value), written: undefined };
    this.kept.set(source, known.set(context, fragment));
    return fragment;
  }
}

/** The text of a fragment with schema names in its references. It is rewritten if one of the names has changed. */
export function writeFragment(
  fragment: Fragment,
  names: ReadonlyMap<string, string>,
  showsSources: boolean,
): string {
  const used = fragment.references.map((identity) => names.get(identity) ?? "").join(" ");
  if (fragment.written?.names !== used) {
    const text = JSON.stringify(rename(fragment.value, { names, showsSources }));
    fragment.written = { names: used, text };
  }
  return fragment.written!.text;
}
