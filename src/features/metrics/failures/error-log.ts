import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import { cutText } from "../requests/cut-text.ts";
import { type DescribedError, describeError } from "./fingerprint.ts";

/** A failed request or job run. */
export interface Failure {
  readonly error: unknown;
  /** The route, as `GET /todos/{id}`, or the job, as `job backup`. */
  readonly origin: string;
  readonly traceId: string;
}

export interface ErrorSample {
  readonly time: number;
  readonly traceId: string;
  readonly message: string;
}

/** Failures of one kind since the last turn. */
export interface ErrorGroup extends DescribedError {
  readonly origin: string;
  readonly count: number;
  readonly samples: readonly ErrorSample[];
}

/** Maximum number of error kinds per turn, and of samples per kind. */
const maxGroups = 100;
const maxSamples = 5;
/** Reading a stack is more expensive than a request, so only this many errors are processed per turn. */
const maxLookedAt = 200;

/** Groups failures until they are taken. */
export class ErrorLog {
  private groups = new Map<string, ErrorGroup & { count: number; samples: ErrorSample[] }>();
  private lookedAt = 0;
  /** Total number of failures. */
  total = 0;
  /** Failures that were counted but not processed because of the limit. */
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
