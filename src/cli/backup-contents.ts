import { formatBytes } from "../lib/text/byte-size.ts";
import { escapeControls } from "../lib/text/terminal-text.ts";
import type { Manifest } from "../storage/index.ts";

/** Lists the time, the version and the databases of a backup. */
export function listContents({ annex, created, databases }: Manifest): string {
  const lines = databases.map(({ file, bytes, migrations }) => {
    const last = migrations.length > 0 ? `, last ${escapeControls(migrations.at(-1)!)}` : "";
    return `  ${file.padEnd(10)}  ${formatBytes(bytes).padStart(9)}  migrations: ${migrations.length}${last}`;
  });
  return [`Data of ${new Date(created).toISOString()}, Annex ${escapeControls(annex)}:`, ...lines].join("\n");
}
