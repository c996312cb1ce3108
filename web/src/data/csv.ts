import { downloadText } from "./download.ts";

export type CsvCell = string | number | boolean | null | undefined;

/** What a spreadsheet takes for the beginning of a formula, and would reckon out. */
const formula = /^[\s]*[=+\-@|]|^[\t\r\n]/;

/** Rows as comma-separated values, the names of the columns first. What somebody else wrote stays text in a spreadsheet. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

/** Hands the rows to the browser as a file. */
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
