import { useMemo, useState } from "preact/hooks";
import type { NamedRecord } from "../../records/named-record.ts";

/** The open records and the heights of their details. */
export interface OpenRecords {
  readonly heights: ReadonlyMap<string, number>;
  toggle(id: string): void;
  setHeight(id: string, height: number): void;
  closeAll(): void;
}

export function useOpenRecords(): OpenRecords {
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  return {
    heights,
    toggle: (id) =>
      setHeights((before) => {
        const next = new Map(before);
        if (!next.delete(id)) next.set(id, 0);
        return next;
      }),
    setHeight: (id, height) =>
      setHeights((before) =>
        before.has(id) && before.get(id) !== height ? new Map(before).set(id, height) : before,
      ),
    closeAll: () => setHeights(new Map()),
  };
}

/** The additional height of open records, by index. */
export function useExtras(
  records: readonly NamedRecord[],
  heights: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  return useMemo(() => {
    const extras = new Map<number, number>();
    if (heights.size === 0) return extras;
    for (const [index, { id }] of records.entries()) if (heights.has(id)) extras.set(index, heights.get(id)!);
    return extras;
  }, [records, heights]);
}
