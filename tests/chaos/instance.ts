import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Cleanup } from "../../src/lib/testing/share.ts";
import { until } from "../../src/lib/testing/until.ts";
import { type DatabaseProxy, startDatabaseProxy } from "../support/database-proxy.ts";
import { type Program, startProgram } from "../support/program.ts";

export interface InstanceOptions {
  readonly name: string;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly jobs: number;
  readonly blockMs: number;
  /** How far its clock is ahead. */
  readonly clockShiftMs: number;
}

const program = join(import.meta.dirname, "program.ts");
const clockShift = join(import.meta.dirname, "clock-shift.ts");

/** One instance of the fleet: a real process that can be restarted, with a network of its own to the database. */
export class Instance {
  readonly name: string;
  readonly proxy: DatabaseProxy;
  /** The output of all of its processes. */
  readonly programs: Program[] = [];
  private readonly cleanup: Cleanup;
  private readonly options: InstanceOptions;

  private constructor(cleanup: Cleanup, options: InstanceOptions, proxy: DatabaseProxy) {
    this.cleanup = cleanup;
    this.options = options;
    this.name = options.name;
    this.proxy = proxy;
  }

  static async create(cleanup: Cleanup, options: InstanceOptions): Promise<Instance> {
    return new Instance(cleanup, options, await startDatabaseProxy(cleanup, options.databaseUrl));
  }

  start(): void {
    const { name, folder, jobs, blockMs, clockShiftMs } = this.options;
    const dataDir = join(folder, name);
    mkdirSync(dataDir, { recursive: true });
    const env = {
      SVC_DATABASE_URL: this.proxy.url,
      SVC_DATA_DIR: dataDir,
      SVC_PORT: "0",
      SVC_INSTANCE: name,
      SVC_HEALTH_READY_NEEDS: "everything",
      CHAOS_FOLDER: folder,
      CHAOS_JOBS: `${jobs}`,
      CHAOS_BLOCK_MS: `${blockMs}`,
      CHAOS_CLOCK_SHIFT_MS: `${clockShiftMs}`,
    };
    const args = clockShiftMs === 0 ? [program] : ["--import", clockShift, program];
    this.programs.push(startProgram(this.cleanup, args, { env }));
  }

  get pid(): number {
    return this.current.child.pid!;
  }

  async url(): Promise<string> {
    return (await this.current.says(/listening at (http:\/\/[\w.:]+)/))[1]!;
  }

  signal(signal: NodeJS.Signals): void {
    this.current.child.kill(signal);
  }

  async ended(): Promise<void> {
    await this.current.ended;
  }

  /** Whether it reports that it can run jobs. */
  async isReady(): Promise<boolean> {
    const url = await this.url();
    const response = await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    return response?.status === 200;
  }

  async becomesReady(): Promise<void> {
    await until(`${this.name} is ready`, () => this.isReady());
  }

  private get current(): Program {
    return this.programs.at(-1)!;
  }
}
