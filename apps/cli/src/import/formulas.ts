/**
 * What a spreadsheet would take for a formula begins with one of these (OWASP, CSV injection). An apostrophe before it
 * makes it text; so does another one before what begins with such an apostrophe already, which keeps the two apart.
 */
const executed = /^'*[=+\-@\t\r\n]/;
const escaped = /^'+[=+\-@\t\r\n]/;

/** The text of a cell that no spreadsheet executes. */
export function escapeFormula(text: string): string {
  return executed.test(text) ? `'${text}` : text;
}

/** The text that was escaped; any other as it is. */
export function unescapeFormula(cell: string): string {
  return escaped.test(cell) ? cell.slice(1) : cell;
}
