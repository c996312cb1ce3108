import type { Selectable } from "kysely";
import type { StoreState } from "../../feature/index.ts";
import { createToPlain } from "../../lib/redaction/plain-data.ts";
import { defaultRedactor, type Redactor } from "../../lib/redaction/redactor.ts";
import { redacted } from "../../lib/redaction/sensitive-names.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { TimeWindow } from "../../lib/time/time-window.ts";
import type { Database } from "../../storage/index.ts";
import { AuditLogLimits } from "./audit-log-limits.ts";
import type { SettingsTables } from "./tables.ts";
import type { Change, ChangeKind } from "./wire.ts";

/** All kinds of audit log entries. */
export const changeKinds = [
  "start",
  "stop",
  "setting",
  "revert",
  "timezone",
  "pause",
  "resume",
  "remove",
  "restore",
  "run",
  "cancel",
  "superuser-add",
  "superuser-remove",
  "password",
] as const satisfies readonly ChangeKind[];

/** An action to be added to the audit log. */
export interface NewChange {
  readonly kind: ChangeKind;
  /** The object of the action: a setting's name, a job ID or an email address. */
  readonly subject: string;
  /** Who performed the action; absent if the application did. */
  readonly actor?: string | undefined;
  /** Value before and after the change; must be serializable as JSON. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly detail?: string | undefined;
  /** Adds what depends on earlier entries. Called before the entry is written, with its time. */
  complete?(at: number): Promise<Partial<Pick<NewChange, "before" | "after" | "detail">>>;
}

export interface ChangeQuery extends TimeWindow {
  readonly limit: number;
  /** Default: all. */
  readonly kinds?: readonly ChangeKind[] | undefined;
  /** Default: all instances. */
  readonly instance?: string | undefined;
}

/** The audit log. */
export interface AuditLog {
  /** Queues an entry. Does not throw and does not block the caller. */
  record(change: NewChange): void;
  /** Newest first. */
  list(query: ChangeQuery): Promise<Change[]>;
  /** What the limits do to stored entries. */
  limitState(): Pick<StoreState, "removing" | "early">;
  /** Writes pending entries within a short time limit and accepts no more. */
  close(): Promise<void>;
}

export interface AuditLogOptions {
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  /** Name of this instance: its machine or container. */
  readonly instance: string;
  readonly logger: { warn(message: string, data?: object): void };
  /** Redacts recorded values. Default: the names that are always redacted. */
  readonly redactor?: Redactor;
}

/** Number of writes between two cleanups. */
const tidyEvery = 100;
/** Limits the memory used while the database does not respond. */
const mostWaiting = 1_000;
const closeWithinMs = 2_000;
const longestValue = 2_000;

export function createAuditLog({
  database,
  clock,
  instance,
  logger,
  redactor = defaultRedactor,
}: AuditLogOptions): AuditLog {
  const toPlain = createToPlain(redactor);
  const tables = async () => (await database()).tables<SettingsTables>();
  const limits = new AuditLogLimits();
  let work: Promise<void> = Promise.resolve();
  let waiting = 0;
  let written = 0;
  let isClosed = false;

  async function write(at: number, given: NewChange): Promise<void> {
    const change = { ...given, ...(await given.complete?.(at)) };
    const { kind, subject, actor = null, before, after } = change;
    const detail = change.detail === undefined ? null : redactor.text(change.detail);
    const values = { before: toJson(show(subject, before)), after: toJson(show(subject, after)) };
    await (await tables())
      .insertInto("annex_changes")
      .values({ at, actor, instance, kind, subject, detail, ...values })
      .execute();
    if (written++ % tidyEvery === 0) await limits.hold(await tables(), clock.now());
  }

  /** The subject is often the name of a setting, which may be sensitive. */
  function show(subject: string, value: unknown): unknown {
    if (value === undefined || value === null) return value;
    return redactor.isSensitive(subject.split(".").at(-1)!) ? redacted : toPlain(value).value;
  }

  function reportFailure(change: NewChange, error: unknown): void {
    const { kind, subject } = change;
    if (!isClosed) logger.warn("Failed to write audit log entry", { kind, subject, error });
  }

  return {
    record(change) {
      if (isClosed) return;
      if (waiting >= mostWaiting)
        return reportFailure(change, new Error("Too many audit log entries are pending."));
      const at = clock.now();
      waiting++;
      work = work
        .then(() => write(at, change))
        .catch((error) => reportFailure(change, error))
        .finally(() => waiting--);
    },

    async list({ from, to, limit, kinds, instance: only }) {
      const rows = await (await tables())
        .selectFrom("annex_changes")
        .selectAll()
        .where("at", ">=", from)
        .where("at", "<", to)
        .$if(kinds !== undefined, (query) => query.where("kind", "in", kinds!))
        .$if(only !== undefined, (query) => query.where("instance", "=", only!))
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toChange);
    },

    limitState: () => limits.describe(clock.now()),

    async close() {
      const { promise: tooLong, resolve } = Promise.withResolvers<void>();
      const callOff = clock.after(closeWithinMs, resolve);
      await Promise.race([work, tooLong]);
      callOff();
      isClosed = true;
    },
  };
}

function toJson(value: unknown): string | null {
  const text = JSON.stringify(value);
  if (text === undefined) return null;
  return text.length <= longestValue ? text : JSON.stringify(`${text.slice(0, longestValue)}…`);
}

function toChange(row: Selectable<SettingsTables["annex_changes"]>): Change {
  const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return { ...row, kind: row.kind as ChangeKind, before: parse(row.before), after: parse(row.after) };
}
