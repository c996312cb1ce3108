import { type AlarmClock, systemClock } from "../../../lib/time/clock.ts";
import { createContainerCpu } from "./container/container-cpu.ts";
import { createContainerMemory } from "./container/container-memory.ts";
import { createCpu, readOsCpus, readProcStat } from "./cpu.ts";
import { createDescriptors } from "./descriptors.ts";
import { createDisk } from "./disk.ts";
import { createEventLoop } from "./event-loop.ts";
import { createGarbage } from "./garbage.ts";
import { createLoad, readOsLoad, readProcLoad } from "./load.ts";
import { createOsMemory, createProcMemory } from "./memory.ts";
import { createNetwork } from "./network.ts";
import { createProcess, createThreads } from "./process.ts";
import type { Part, SampleValues, SystemSample } from "./sample-values.ts";

export { describeSystem, type SystemDescription } from "./description.ts";
export type { SystemSample } from "./sample-values.ts";

/** Samples the system and this process, usually once per second. */
export interface Sampler {
  /** Returns rates since the previous call and current values. Rates are absent from the first sample. */
  sample(): SystemSample;
  /** Measures less often between samples, or as often as before. */
  rest(isResting: boolean): void;
  /** Stops the measurements between samples. */
  close(): void;
}

export interface SamplerOptions {
  /** The folder whose disk is measured. It need not exist yet. */
  readonly dataDir: string;
  /** Root of /proc and /sys. Default: "/". */
  readonly root?: string;
  /** Default: the platform of this process. */
  readonly platform?: NodeJS.Platform;
  /** Default: the system clock. */
  readonly clock?: AlarmClock;
}

export function createSampler(options: SamplerOptions): Sampler {
  const { dataDir, root = "/", platform = process.platform, clock = systemClock } = options;
  const machine = platform === "linux" ? createLinuxParts(root) : createOtherParts(platform);
  const parts = [...machine, createDisk(dataDir), createProcess(), createGarbage(), createEventLoop()];
  return {
    sample() {
      const values: SampleValues = {};
      const now = clock.elapsed();
      for (const part of parts) sampleAlone(part, values, now);
      return values;
    },
    rest(isResting) {
      for (const part of parts) part.rest?.(isResting);
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

/** For other platforms: Node reports no traffic, containers, threads or descriptors. */
function createOtherParts(platform: NodeJS.Platform): Part[] {
  return [createCpu(() => readOsCpus(platform)), createLoad(() => readOsLoad(platform)), createOsMemory()];
}

/** A failure in one part must not affect the others. */
function sampleAlone(part: Part, values: SampleValues, now: number): void {
  try {
    part.sample(values, now);
  } catch {
    // The metrics of a failed part are absent.
  }
}
