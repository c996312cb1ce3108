import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "./subject.ts";

/** A response of about 10 KB. */
export const report = {
  title: "Orders of the last day",
  orders: Array.from({ length: 100 }, (_, index) => ({
    id: `order-${(index * 7_919) % 10_007}`,
    customer: `Customer ${(index * 31) % 97}`,
    total: ((index * 3_571) % 10_000) / 100,
    state: ["open", "paid", "sent"][index % 3],
  })),
};

/** A script of 10 KB. */
export const script = "export const value = 42;\n".repeat(410);
/** A file of 1 MB. */
export const download = "0123456789abcdef".repeat(65_536);

/** A folder with the files, which are not new: servers may treat those with care. */
export function writeFiles(): string {
  const folder = join(scratchFolder(), "files");
  mkdirSync(folder);
  for (const [name, content] of Object.entries({ "script.js": script, "download.txt": download })) {
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), new Date("2025-01-01"), new Date("2025-01-01"));
  }
  return folder;
}
