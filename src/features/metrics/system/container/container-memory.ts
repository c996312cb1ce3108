import { join } from "node:path";
import { firstNumber, numberAfter } from "../numbers.ts";
import { type Part, put } from "../sample-values.ts";
import { readSmallFile } from "../small-files.ts";
import { throttled } from "../throttled.ts";
import { type ControlGroup, findControlGroup, type Limit, smallestLimit } from "./cgroup.ts";

const names = {
  1: { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", inactive: "total_inactive_file " },
  2: { limit: "memory.max", used: "memory.current", inactive: "inactive_file " },
};

/** The container's memory limit and usage. */
export function createContainerMemory(root: string): Part {
  const group = findControlGroup(root, "memory");
  if (!group) return { sample() {} };
  const readLimit = throttled(() => smallestLimit(limitsOf(group)));
  return {
    sample(values, now) {
      const limit = readLimit(now);
      put(values, "container.memory_limit_bytes", limit?.value ?? NaN);
      // Without a limit, the root group of v1 is the machine. v2 has no usage for its root group.
      if (!limit && group.version === 1 && group.isOutermost) return;
      put(values, "container.memory_used_bytes", readUsed(limit?.folder ?? group.folders[0]!, group.version));
    },
  };
}

function limitsOf({ folders, version }: ControlGroup): Limit[] {
  const limits = folders.map((folder) => ({
    folder,
    value: firstNumber(readSmallFile(join(folder, names[version].limit))),
  }));
  return version === 1 ? [...limits, limitFromOutside(folders[0]!)] : limits;
}

/** v1 also reports limits of groups that are not visible within a container. */
function limitFromOutside(folder: string): Limit {
  const stat = readSmallFile(join(folder, "memory.stat"));
  return { folder, value: numberAfter(stat, "hierarchical_memory_limit ") };
}

/** Inactive file cache is reclaimed first, so it is excluded, as in Docker. */
function readUsed(folder: string, version: 1 | 2): number {
  const used = firstNumber(readSmallFile(join(folder, names[version].used)));
  const inactive = numberAfter(readSmallFile(join(folder, "memory.stat")), names[version].inactive);
  return inactive < used ? used - inactive : used;
}
