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
