import type { Frame } from "../interpreter-context.ts";
import type { Read } from "../values/reads.ts";

/** Whether every request that reaches the read of the parameter also reaches the current location. */
export function isCertain(frame: Frame, read: Read): boolean {
  for (let each: Frame | undefined = frame; each; each = each.caller) {
    if (each.conditions > 0) return false;
    if (each.effects.reads.includes(read)) return true;
  }
  return false;
}

/**
 * Whether every request that sends the parameter and reaches its read also reaches the current location. Conditions
 * that only check whether it was sent are ignored.
 */
export function isCertainIfSent(frame: Frame, read: Read): boolean {
  for (let each: Frame | undefined = frame; each; each = each.caller) {
    const isHere = each.effects.reads.includes(read);
    const asked = each.presence.filter((other) => other.in === read.in && other.name === read.name).length;
    if (each.conditions - asked > (isHere ? read.depth : 0)) return false;
    if (isHere) return true;
  }
  return false;
}
