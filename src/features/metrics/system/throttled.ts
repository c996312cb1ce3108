/** How long an expensive value is reused. */
export const throttleMs = 10_000;

/** Reads an expensive or rarely changing value at most every ten seconds and reuses it in between. */
export function throttled<Value>(read: () => Value): (now: number) => Value {
  let last: { readonly at: number; readonly value: Value } | undefined;
  return (now) => {
    if (!last || now - last.at >= throttleMs) last = { at: now, value: read() };
    return last.value;
  };
}
