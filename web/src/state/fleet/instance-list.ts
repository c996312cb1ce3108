import type { InstanceList } from "../../../../src/features/metrics/wire.ts";

/** The list without the current values of the instances, which do not remain true for long. */
export function withoutStatus(list: InstanceList): InstanceList {
  return { ...list, instances: list.instances.map((each) => ({ ...each, status: undefined })) };
}
