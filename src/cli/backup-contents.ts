import { formatBytes } from "../lib/text/byte-size.ts";
import { escapeControls } from "../lib/text/terminal-text.ts";
import type { Manifest } from "../storage/index.ts";

/** Lists the time, the version and the databases of a backup. */
export function describeBackup({ annex, created, databases }: Manifest): string {
  const lines = databases.map(({ file, bytes, migrations }) => {
    // The application's own migration shows from which of its releases the backup is.
    const last = migrations.findLast((name) => name.startsWith("application/")) ?? migrations.at(-1);
    const shown = last === undefined ? "" : `, last ${escapeControls(last)}`;
    return `  ${file.padEnd(10)}  ${formatBytes(bytes).padStart(9)}  migrations: ${migrations.length}${shown}`;
  });
  return [`Data of ${new Date(created).toISOString()}, Annex ${escapeControls(annex)}:`, ...lines].join("\n");
}
