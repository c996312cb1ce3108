import type { Bound } from "./bounds.ts";
import type { Primitive } from "./primitive.ts";
import type { BodyRead } from "./reads.ts";
import type { ReadValue, Value } from "./value.ts";

/** A condition: what it comes to, and what a request must be like for it to be true or false. */
export interface Condition {
  readonly value: Value;
  /** True when one of these is missing. */
  readonly trueWithout: readonly ReadValue[];
  /** False when one of these is missing. */
  readonly falseWithout: readonly ReadValue[];
  /** Decided only because somebody compares with what this call was given. */
  readonly isByComparison?: boolean | undefined;
  /** True for every value of a parameter but these: `q !== "a" && q !== "b"`. */
  readonly trueUnless?: Allowed | undefined;
  /** False for every value of a parameter but these: `ROLES.includes(q)`. */
  readonly falseUnless?: Allowed | undefined;
  /** True for every value outside of these: `n < 1`. */
  readonly trueOutside?: readonly Bound[] | undefined;
  /** False for every value outside of these: `n >= 1`. */
  readonly falseOutside?: readonly Bound[] | undefined;
  /** True exactly if this parameter was sent: `q !== undefined`. */
  readonly trueIfSent?: ReadValue | undefined;
  /** False exactly if it was sent. */
  readonly falseIfSent?: ReadValue | undefined;
  /** True exactly if this is not an empty text: `q !== ""`. */
  readonly trueIfFilled?: ReadValue | undefined;
  readonly falseIfFilled?: ReadValue | undefined;
  /** True if one of these bodies is empty: `text === ""`. */
  readonly trueIfEmpty?: readonly BodyRead[] | undefined;
  /** False if one of these bodies is empty: `text`. */
  readonly falseIfEmpty?: readonly BodyRead[] | undefined;
}

export interface Allowed {
  readonly read: ReadValue;
  readonly values: readonly Primitive[];
}
