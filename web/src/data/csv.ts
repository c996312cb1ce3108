import { downloadText } from "./download.ts";

export type CsvCell = string | number | boolean | null | undefined;

/** Spreadsheets interpret cells with these prefixes as formulas. */
const formula = /^[\s]*[=+\-@|]|^[\t\r\n]/;

/** Formats rows as comma-separated values with a header line. Cells that look like formulas are escaped. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

/** Downloads the rows as a CSV file. */
export function downloadCsv(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
): void {
  downloadText(name, toCsv(columns, rows), "text/csv");
}

function toCell(value: CsvCell): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
