import type { Redactor } from "../../../lib/redaction/redactor.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import type { Caller } from "../../../lib/worker/contract.ts";
import type { HistoryCalls } from "../history/calls.ts";
import type { FoundStall } from "../stalls/stall.ts";
import { redactStall, toStall } from "../stalls/to-stall.ts";
import type { Stall } from "../wire/stalls.ts";

export interface RecentStallsOptions {
  readonly instance: string;
  readonly clock: AlarmClock;
  readonly history: Caller<HistoryCalls>;
  readonly redactor: Redactor;
  /** Called with every stall. */
  readonly onStall?: ((stall: Stall) => void) | undefined;
}

/** The stalls of the last minute. */
export class RecentStalls {
  private readonly options: RecentStallsOptions;
  private known: readonly Stall[] = [];

  constructor(options: RecentStallsOptions) {
    this.options = options;
  }

  /** The thread that stores it also finds its location in the source. */
  async add(found: FoundStall): Promise<void> {
    const { history, redactor, instance, onStall } = this.options;
    const stall = redactStall(found, redactor);
    const described = await history.call("addStall", stall).catch(() => toStall(stall, instance));
    this.known = [described, ...this.list()];
    onStall?.(described);
  }

  list(): readonly Stall[] {
    const since = this.options.clock.now() - minuteMs;
    return this.known.filter(({ started_at }) => started_at > since);
  }
}
