import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";

export interface MigrationFile {
  /** Relative to `src`: `auth/migrations/001-superusers.ts`. */
  readonly name: string;
  readonly imports: readonly string[];
  /** Of the code without its imports, because folders may move. */
  readonly checksum: string;
}

const src = new URL("../../src/", import.meta.url);

export const checksumsFile = new URL("./released-migrations.json", import.meta.url);

export function readMigrationFiles(): MigrationFile[] {
  const names = globSync("**/migrations/*.ts", { cwd: src.pathname }).sort();
  return names.map((name) => {
    const lines = readFileSync(new URL(name, src), "utf8").trim().split("\n");
    const [imports, code] = [true, false].map((isImport) =>
      lines.filter((line) => line.startsWith("import ") === isImport),
    ) as [string[], string[]];
    return { name, imports, checksum: createHash("sha256").update(code.join("\n").trim()).digest("hex") };
  });
}

export const readChecksums = (): Record<string, string> => JSON.parse(readFileSync(checksumsFile, "utf8"));
