import { defaultRedactor, type Redactor } from "../../lib/redactor.ts";
import { cutText } from "../requests/cut-text.ts";
import { type DescribedError, describeError } from "./fingerprint.ts";

/** Something that failed: a request, a job. */
export interface Failure {
  readonly error: unknown;
  /** What was being done: the route as `GET /todos/{id}`, or `job backup`. */
  readonly origin: string;
  readonly traceId: string;
}

export interface ErrorSample {
  readonly time: number;
  readonly traceId: string;
  readonly message: string;
}

/** Failures of the same kind since the last turn. */
export interface ErrorGroup extends DescribedError {
  readonly origin: string;
  readonly count: number;
  readonly samples: readonly ErrorSample[];
}

/** Errors of different kinds that are told apart within one turn, and samples of each. */
const maxGroups = 100;
const maxSamples = 5;
/** A stack costs more than a request; of a flood of errors only so many are looked at. */
const maxLookedAt = 200;

/** Groups what fails, until somebody takes it away. */
export class ErrorLog {
  private groups = new Map<string, ErrorGroup & { count: number; samples: ErrorSample[] }>();
  private lookedAt = 0;
  /** Failures so far. */
  total = 0;
  /** Of these, those that were too many to be looked at. */
  unseen = 0;
  private readonly redactor: Redactor;

  constructor(redactor: Redactor = defaultRedactor) {
    this.redactor = redactor;
  }

  add({ error, origin, traceId }: Failure, time: number): void {
    this.total++;
    if (this.lookedAt++ >= maxLookedAt) {
      this.unseen++;
      return;
    }
    const place = cutText(origin.replaceAll("\0", "�"), 300);
    const described = describeError(error, place, this.redactor);
    const known = this.groups.get(described.fingerprint);
    if (!known && this.groups.size >= maxGroups) {
      this.unseen++;
      return;
    }
    const group = known ?? { ...described, origin: place, count: 0, samples: [] };
    group.count++;
    if (group.samples.length < maxSamples) {
      const copied = Buffer.from(traceId, "latin1").toString("latin1");
      group.samples.push({ time, traceId: copied, message: described.message });
    }
    this.groups.set(described.fingerprint, group);
  }

  take(): ErrorGroup[] {
    const taken = [...this.groups.values()];
    this.groups = new Map();
    this.lookedAt = 0;
    return taken;
  }
}
