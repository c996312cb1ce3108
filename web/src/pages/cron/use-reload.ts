import { useEffect, useRef } from "preact/hooks";

/** Reloads a query when the state changes, but not on the first render. */
export function useReload(query: { reload(): void }, state: string | number): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) query.reload();
    before.current = state;
  }, [state]);
}
