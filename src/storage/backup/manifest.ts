import { mainFile } from "../data-dir.ts";

/** The first entry of a backup. */
export const manifestName = "manifest.json";

/** Increased when older releases cannot read the backup. */
export const currentFormat = 1;

/** What a backup contains. */
export interface Manifest {
  readonly format: number;
  /** Version of Annex that wrote the backup. */
  readonly annex: string;
  /** ISO 8601. Everything that was committed before this time is in the backup. */
  readonly created: string;
  readonly databases: readonly DatabaseEntry[];
}

export interface DatabaseEntry {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Executed migrations, oldest first, such as `auth/001-superusers`. */
  readonly migrations: readonly string[];
}

/** Throws if the text is not a manifest. The names become paths, so only plain file names are accepted. */
export function parseManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  const { format, annex, created, databases } = manifest;
  const isValid =
    Number.isSafeInteger(format) &&
    /^\d+\.\d+\.\d+/.test(annex) &&
    !Number.isNaN(Date.parse(created)) &&
    (format > currentFormat || (databases.every(isEntry) && areFiles(databases)));
  if (!isValid) throw new Error("Invalid manifest.");
  return manifest;
}

function isEntry({ file, bytes, sha256, migrations }: DatabaseEntry): boolean {
  return (
    /^[a-z][a-z0-9-]*\.db$/.test(file) &&
    Number.isSafeInteger(bytes) &&
    bytes > 0 &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    migrations.every((name) => typeof name === "string")
  );
}

function areFiles(databases: readonly DatabaseEntry[]): boolean {
  const names = new Set(databases.map(({ file }) => file));
  return names.size === databases.length && names.has(mainFile);
}

/** Compares the numbers of two versions: `0.10.0` is newer than `0.9.1`. */
export function isNewerVersion(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(/[.+-]/, 3).map(Number));
  const at = one!.findIndex((number, index) => number !== other![index]);
  return at !== -1 && one![at]! > other![at]!;
}
