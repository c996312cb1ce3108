import type { InstanceList } from "../../../../src/features/metrics/wire.ts";

/** The list without the current values of the instances, which do not remain true for long. */
export function withoutStatus(list: InstanceList): InstanceList {
  return { ...list, instances: list.instances.map((each) => ({ ...each, status: undefined })) };
}

/** Whether the instance does not run. One that runs may not have reported its status yet. */
export function isGone({ instances }: InstanceList, name: string): boolean {
  return instances.find(({ instance }) => instance === name)?.state !== "running";
}
