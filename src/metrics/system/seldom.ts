/** How long a costly figure is repeated before it is read again. */
export const seldomMs = 10_000;

/** Reads what is costly or slow to change at most every ten seconds, and repeats it in between. */
export function seldom<Value>(read: () => Value): (now: number) => Value {
  let last: { readonly at: number; readonly value: Value } | undefined;
  return (now) => {
    if (!last || now - last.at >= seldomMs) last = { at: now, value: read() };
    return last.value;
  };
}
