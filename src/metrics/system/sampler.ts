import { type AlarmClock, systemClock } from "../../lib/clock.ts";
import { createContainerCpu } from "./container-cpu.ts";
import { createContainerMemory } from "./container-memory.ts";
import { createCpu, readOsCpus, readProcStat } from "./cpu.ts";
import { createDescriptors } from "./descriptors.ts";
import { createDisk } from "./disk.ts";
import { createEventLoop } from "./event-loop.ts";
import type { Figures, Part, SystemSample } from "./figures.ts";
import { createGarbage } from "./garbage.ts";
import { createLoad, readOsLoad, readProcLoad } from "./load.ts";
import { createOsMemory, createProcMemory } from "./memory.ts";
import { createNetwork } from "./network.ts";
import { createProcess, createThreads } from "./process.ts";

export { describeSystem, type SystemDescription } from "./description.ts";
export type { SystemSample } from "./figures.ts";

/** Looks at the machine and at this process, once a second as a rule. */
export interface Sampler {
  /** What happened since the call before, and how things stand now. What needs a call before is absent from the first. */
  sample(): SystemSample;
  /** Stops what counts between the samples. */
  close(): void;
}

export interface SamplerOptions {
  /** The folder whose disk is looked at. It need not exist yet. */
  readonly dataDir: string;
  /** Root of /proc and /sys. Default: "/". */
  readonly root?: string;
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
  /** Default: the system's. */
  readonly clock?: AlarmClock;
}

export function createSampler(options: SamplerOptions): Sampler {
  const { dataDir, root = "/", platform = process.platform, clock = systemClock } = options;
  const machine = platform === "linux" ? createLinuxParts(root) : createOtherParts(platform);
  const parts = [...machine, createDisk(dataDir), createProcess(), createGarbage(), createEventLoop()];
  return {
    sample() {
      const figures: Figures = {};
      const now = clock.elapsed();
      for (const part of parts) sampleAlone(part, figures, now);
      return figures;
    },
    close() {
      for (const part of parts) part.close?.();
    },
  };
}

function createLinuxParts(root: string): Part[] {
  return [
    createCpu(() => readProcStat(root)),
    createLoad(() => readProcLoad(root)),
    createProcMemory(root),
    createNetwork(root),
    createThreads(root),
    createDescriptors(root),
    createContainerMemory(root),
    createContainerCpu(root),
  ];
}

/** Node counts no traffic, and knows nothing of containers, threads or descriptors. */
function createOtherParts(platform: NodeJS.Platform): Part[] {
  return [createCpu(() => readOsCpus(platform)), createLoad(() => readOsLoad(platform)), createOsMemory()];
}

/** What one part stumbles over must not take the others along. */
function sampleAlone(part: Part, figures: Figures, now: number): void {
  try {
    part.sample(figures, now);
  } catch {
    // Its figures are absent, which is what absence is for.
  }
}
