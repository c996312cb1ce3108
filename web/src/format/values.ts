/** Formats a configuration value in one line. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
