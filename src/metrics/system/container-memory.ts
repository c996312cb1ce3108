import { join } from "node:path";
import { type ControlGroup, findControlGroup, type Limit, smallestLimit } from "./cgroup.ts";
import { type Part, put } from "./figures.ts";
import { firstNumber, numberAfter } from "./numbers.ts";
import { seldom } from "./seldom.ts";
import { readSmallFile } from "./small-files.ts";

const names = {
  1: { limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", inactive: "total_inactive_file " },
  2: { limit: "memory.max", used: "memory.current", inactive: "inactive_file " },
};

/** The memory that the container may use, and what it uses. */
export function createContainerMemory(root: string): Part {
  const group = findControlGroup(root, "memory");
  if (!group) return { sample() {} };
  const readLimit = seldom(() => smallestLimit(limitsOf(group)));
  return {
    sample(figures, now) {
      const limit = readLimit(now);
      put(figures, "container.memory_limit_bytes", limit?.value ?? NaN);
      // Without a limit, the outermost group of the first version is the machine. The second keeps no count there.
      if (!limit && group.version === 1 && group.isOutermost) return;
      put(
        figures,
        "container.memory_used_bytes",
        readUsed(limit?.folder ?? group.folders[0]!, group.version),
      );
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

/** The first version also tells the limit of groups that cannot be seen from within a container. */
function limitFromOutside(folder: string): Limit {
  const stat = readSmallFile(join(folder, "memory.stat"));
  return { folder, value: numberAfter(stat, "hierarchical_memory_limit ") };
}

/** Files that nobody has used for a while are given up before anything else, so they are left out, as Docker does. */
function readUsed(folder: string, version: 1 | 2): number {
  const used = firstNumber(readSmallFile(join(folder, names[version].used)));
  const inactive = numberAfter(readSmallFile(join(folder, "memory.stat")), names[version].inactive);
  return inactive < used ? used - inactive : used;
}
