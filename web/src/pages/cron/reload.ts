import { useEffect, useRef } from "preact/hooks";

/** Asks again when something has become another; the first time it has just been asked. */
export function useReload(query: { reload(): void }, state: string | number): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) query.reload();
    before.current = state;
  }, [state]);
}
