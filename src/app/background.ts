import type { HealthIssue, SharedBackground } from "../feature/index.ts";
import { endSentence } from "../lib/text/sentence.ts";
import type { Caller } from "../lib/worker/contract.ts";
import {
  type Background,
  type BackgroundContract,
  type BackgroundOptions,
  type BackgroundService,
  createBackground,
} from "../storage/index.ts";

type Services = Record<string, BackgroundContract>;
interface Options extends Omit<BackgroundOptions<Services>, "services"> {
  /** What the thread stores, for messages. */
  readonly contents: string;
}

/** The background thread, which starts when a feature first uses it. Without services, there is none. */
export class LazyBackground implements SharedBackground {
  private readonly options: Options;
  private readonly services: Record<string, BackgroundService<BackgroundContract>> = {};
  private created: Background<Services> | undefined;

  constructor(options: Options) {
    this.options = options;
  }

  register<Contract extends BackgroundContract>(
    name: string,
    service: BackgroundService<Contract>,
  ): Caller<Contract["calls"]> {
    this.services[name] = service;
    // The module of the service has the same contract.
    const caller = () => this.background.service(name) as Caller<Contract["calls"]>;
    return {
      call: (call, ...input) => caller().call(call, ...input),
      post: (call, input, options) => caller().post(call, input, options),
    };
  }

  get problem(): string | undefined {
    return this.created?.problem;
  }

  get lost(): number {
    return this.created?.lost ?? 0;
  }

  findProblems(): HealthIssue[] {
    const { problem } = this;
    if (problem === undefined) return [];
    return [
      {
        id: "background",
        status: "degraded",
        message: `Failed to store ${this.options.contents}: ${endSentence(problem)}`,
        link: { page: "config", params: { tab: "storage" } },
      },
    ];
  }

  async close(withinMs?: number): Promise<void> {
    await this.created?.close(withinMs);
  }

  private get background(): Background<Services> {
    this.created ??= createBackground({ ...this.options, services: this.services });
    return this.created;
  }
}
