import type { AccessKind } from "../../../auth/index.ts";
import { type AccessRow, isFailure } from "./merger.ts";

/** Writes a record with this trace ID to the application's log. */
export type WriteLogLine = (level: "info" | "warn", message: string, data: object, traceId?: string) => void;

const messages: Readonly<Record<AccessKind, string>> = {
  "sign-in": "Signed in",
  "sign-in-failed": "Sign-in failed",
  "lock-out": "Sign-in locked out",
  "sign-out": "Signed out",
  "session-revoked": "Session revoked",
  "superuser-added": "Superuser added",
  "superuser-removed": "Superuser removed",
  "password-changed": "Password changed",
  "access-refused": "Access refused",
  "setup-link-used": "Setup link used",
};

/**
 * Writes access events to the application's log: one record when a row begins, and one with the count when it ends, if
 * events were merged into it. A flood of events therefore writes few records.
 */
export function createLogLines(write: WriteLogLine) {
  const level = ({ kind }: AccessRow) => (isFailure(kind) ? "warn" : "info");
  return {
    opened(row: AccessRow): void {
      const message = row.isOverflow ? "Too many access events; counting only" : messages[row.kind];
      write(row.isOverflow ? "warn" : level(row), message, describe(row), row.traceId ?? undefined);
    },
    closed(row: AccessRow): void {
      if (row.count === 1) return;
      const repeated = { count: row.count, since: new Date(row.firstAt).toISOString() };
      write(level(row), `${messages[row.kind]} repeatedly`, { ...describe(row), ...repeated });
    },
  };
}

function describe({ kind, account, actor, address, agent, detail }: AccessRow): object {
  const known = { account, actor, address, user_agent: agent, detail };
  const present = Object.entries(known).filter(([, value]) => value !== null);
  return { event: "access", kind, ...Object.fromEntries(present) };
}
