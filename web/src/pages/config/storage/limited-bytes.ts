import type { HistorySize } from "../../../../../src/features/metrics/wire.ts";
import type { StoredData } from "../../../../../src/features/settings/wire.ts";

/** The size to which the limit of the data applies. Undefined if it is only a part whose size is not known. */
export function limitedBytes(
  { bytes, limit }: StoredData,
  history: HistorySize | undefined,
): number | undefined {
  if (limit?.of === undefined) return bytes;
  return history?.name === limit.store ? history.bytes : undefined;
}
