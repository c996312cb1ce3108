export type Cell = string | number | undefined;

/** Lines of comma-separated values (RFC 4180). */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map(toCsvLine).join("");
}

export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: Cell): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = startsFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text that a spreadsheet would evaluate as a formula. */
const startsFormula = /^[=+\-@\p{Cc}]/u;
