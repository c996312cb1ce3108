import type { Frame } from "../interpreter-context.ts";
import type { Read } from "../values/reads.ts";

/**
 * Saves the constraints of all parameters. The returned function restores them, because the rejections that led to the
 * new ones are caught.
 */
export function holdConstraints(frame: Frame): () => void {
  const before = new Map(readsAround(frame).map((read) => [read, constraintsOf(read)]));
  return () => {
    for (const read of readsAround(frame)) Object.assign(read, before.get(read) ?? noConstraints);
  };
}

const noConstraints = { isRequired: false, values: undefined, bounds: undefined };
const constraintsOf = ({ isRequired, values, bounds }: Read) => ({ isRequired, values, bounds });

function readsAround(frame: Frame): Read[] {
  const reads: Read[] = [];
  for (let each: Frame | undefined = frame; each; each = each.caller) reads.push(...each.effects.reads);
  return reads;
}
