import { join } from "node:path";
import { type Cursor, firstNumber, nextNumber, numberAfter } from "../numbers.ts";
import { increase, type Part, put } from "../sample-values.ts";
import { readSmallFile } from "../small-files.ts";
import { throttled } from "../throttled.ts";
import { type ControlGroup, findControlGroup, type Limit, smallestLimit } from "./cgroup.ts";

/** CPU usage of a limited group at one moment. */
interface Use {
  readonly folder: string;
  readonly at: number;
  /** In milliseconds of one core. */
  readonly used: number;
  /** Number of scheduling periods, and of periods in which the limit was reached. */
  readonly periods: number;
  readonly throttled: number;
}

/** The container's CPU limit, its usage and how often it was throttled. */
export function createContainerCpu(root: string): Part {
  const group = findControlGroup(root, "cpu");
  if (!group) return { sample() {} };
  const account = group.version === 1 ? findControlGroup(root, "cpuacct") : undefined;
  const readLimit = throttled(() => smallestLimit(limitsOf(group)));
  let before: Use | undefined;
  return {
    sample(values, now) {
      const limit = readLimit(now);
      const use = limit && readUse(group, account, limit, now);
      const last = before?.folder === use?.folder ? before : undefined;
      before = use;
      if (!use) return;
      put(values, "container.cpu_limit_cores", limit!.value);
      put(
        values,
        "container.cpu_ratio",
        increase(last?.used, use.used) / increase(last?.at, now) / limit!.value,
      );
      put(values, "container.throttled_ratio", throttledRatio(last, use));
    },
  };
}

/** If nothing ran, no period was counted and none was throttled. */
function throttledRatio(before: Use | undefined, now: Use): number {
  const throttled = increase(before?.throttled, now.throttled);
  return throttled === 0 ? 0 : throttled / increase(before?.periods, now.periods);
}

function limitsOf({ folders, version }: ControlGroup): Limit[] {
  const read = version === 1 ? readQuotaOfFirst : readQuotaOfSecond;
  return folders.map((folder) => ({ folder, value: read(folder) }));
}

/** −1 means no limit. */
function readQuotaOfFirst(folder: string): number {
  const quota = firstNumber(readSmallFile(join(folder, "cpu.cfs_quota_us")));
  return quota / firstNumber(readSmallFile(join(folder, "cpu.cfs_period_us")));
}

/** `150000 100000`, or `max 100000`. */
function readQuotaOfSecond(folder: string): number {
  const cursor: Cursor = { text: readSmallFile(join(folder, "cpu.max")), at: 0 };
  return nextNumber(cursor) / nextNumber(cursor);
}

function readUse(group: ControlGroup, account: ControlGroup | undefined, { folder }: Limit, at: number): Use {
  const stat = readSmallFile(join(folder, "cpu.stat"));
  // v1 keeps CPU time in a separate hierarchy of the same shape.
  const accountFolder = account?.folders[group.folders.indexOf(folder)];
  const used = accountFolder
    ? firstNumber(readSmallFile(join(accountFolder, "cpuacct.usage"))) / 1e6
    : numberAfter(stat, "usage_usec ") / 1e3;
  const periods = numberAfter(stat, "nr_periods ");
  return { folder, at, used, periods, throttled: numberAfter(stat, "nr_throttled ") };
}
