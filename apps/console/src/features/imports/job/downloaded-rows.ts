import { escapeFormula, isErrorHeader, unescapeFormula } from '@roster/import';

/** A cell of a CSV file that no spreadsheet executes, and that an import reads as it was. */
function csvCell(text: string, delimiter: string): string {
  const cell = escapeFormula(unescapeFormula(text));
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export function csvRow(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}

/**
 * A line of NDJSON with what is wrong as its first member. A file that was corrected has that member already, and a line that is no
 * object becomes one.
 *
 * @param fault The name of that member, and what is wrong
 */
export function ndjsonRow(line: string, fault: readonly [name: string, words: string]): string {
  let members: [name: string, member: unknown][];
  try {
    members = Object.entries(Object(JSON.parse(line)));
  } catch {
    members = [['line', line]];
  }
  const others = members.filter(([name]) => !isErrorHeader(name));
  return `${JSON.stringify(Object.fromEntries([fault, ...others]))}\n`;
}
