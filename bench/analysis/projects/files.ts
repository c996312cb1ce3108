import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files of a project: path below its folder → content. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** As people write it, so that a failed run can be looked at. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
