import type { Frame } from "./machine.ts";
import type { Read } from "./reads.ts";

/** Whether the present place is reached by every request that reaches the place where the parameter was read. */
export function isCertain(frame: Frame, read: Read): boolean {
  for (let each: Frame | undefined = frame; each; each = each.caller) {
    if (each.conditions > 0) return false;
    if (each.effects.reads.includes(read)) return true;
  }
  return false;
}

/**
 * Whether the present place is reached by every request that sends the parameter and reaches the place where it was
 * read. Conditions that only ask whether it was sent do not count.
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
