import type { Frame } from "./machine.ts";
import type { Read } from "./reads.ts";

/**
 * Remembers what parameters must be like. The function it returns takes back what was learnt since, because the refusal
 * it was learnt from is caught.
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
