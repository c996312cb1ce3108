import type { Statement } from "better-sqlite3";
import type { FileGuard } from "./file-guard.ts";

/**
 * A statement that fails unless its commit has reached the file at its path. The check before the commit avoids a
 * useless write. The check after it guarantees that a reported success is durable.
 */
export function guardStatement(statement: Statement, guard: FileGuard): Statement {
  const { database } = statement;
  const endsTransaction = /^\s*(commit|end|release)\b/i.test(statement.source);
  const mayCommit = endsTransaction || !statement.readonly;

  function execute<Result>(run: () => Result): Result {
    const isCommit = mayCommit && (endsTransaction || !database.inTransaction);
    if (isCommit) guard.check();
    const result = attempt(run);
    // `begin immediate` counts as a write, but nothing has been committed yet.
    if (isCommit && !database.inTransaction) {
      guard.check();
      guard.wrote();
    }
    return result;
  }

  function attempt<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      throw guard.explain(error);
    }
  }

  return {
    reader: statement.reader,
    run: (...parameters: unknown[]) => execute(() => statement.run(...parameters)),
    all: (...parameters: unknown[]) => execute(() => statement.all(...parameters)),
    iterate: (...parameters: unknown[]) => attempt(() => statement.iterate(...parameters)),
  } as Statement;
}
