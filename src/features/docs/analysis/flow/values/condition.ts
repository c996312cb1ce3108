import type { Bound } from "./bounds.ts";
import type { Primitive } from "./primitive.ts";
import type { GuardedInput } from "./reads.ts";
import type { ReadValue, Value } from "./value.ts";

/** A condition: its value, and the properties of requests for which it is true or false. */
export interface Condition {
  readonly value: Value;
  /** True if one of these is missing. */
  readonly trueWithout: readonly ReadValue[];
  /** False if one of these is missing. */
  readonly falseWithout: readonly ReadValue[];
  /** Whether the value is known only because of the arguments of the current call. */
  readonly isByComparison?: boolean | undefined;
  /** True for every value of a parameter except these: `q !== "a" && q !== "b"`. */
  readonly trueUnless?: Allowed | undefined;
  /** False for every value of a parameter except these: `ROLES.includes(q)`. */
  readonly falseUnless?: Allowed | undefined;
  /** True for every value outside these bounds: `n < 1`. */
  readonly trueOutside?: readonly Bound[] | undefined;
  /** False for every value outside these bounds: `n >= 1`. */
  readonly falseOutside?: readonly Bound[] | undefined;
  /** True if and only if this parameter was sent: `q !== undefined`. */
  readonly trueIfSent?: ReadValue | undefined;
  /** False if and only if it was sent. */
  readonly falseIfSent?: ReadValue | undefined;
  /** True if and only if this is not an empty string: `q !== ""`. */
  readonly trueIfFilled?: ReadValue | undefined;
  readonly falseIfFilled?: ReadValue | undefined;
  /** True if one of these bodies is empty: `text === ""`. */
  readonly trueIfEmpty?: readonly GuardedInput[] | undefined;
  /** False if one of these bodies is empty: `text`. */
  readonly falseIfEmpty?: readonly GuardedInput[] | undefined;
}

export interface Allowed {
  readonly read: ReadValue;
  readonly values: readonly Primitive[];
}
