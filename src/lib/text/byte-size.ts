const units = ["bytes", "KB", "MB", "GB", "TB"];

/** `1.4 MB`, with powers of 1,000 as file managers and disks use them. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${units[power]}`;
}
