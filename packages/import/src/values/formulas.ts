/**
 * A spreadsheet treats a cell that starts with one of `=+-@`, or with one of their full-width forms, as a formula (OWASP,
 * CSV injection), and ignores a tab or line break before it. A spreadsheet whose list separator is not the comma splits a
 * row at `;`, a tab or `|`, and ends it at a line break, so a formula may also start after one of these, even in quotes.
 * An apostrophe at each of these positions makes the rest text. An existing apostrophe there is escaped by another one, so
 * that every text survives a round trip.
 */
const escapePositions = String.raw`(?<=^)(?=['"]*[\t\r\n])|(?<=^|[;|\t\r\n])(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])`;
const executed = new RegExp(escapePositions, 'g');
const escaped = new RegExp(escapePositions.replaceAll('(?=', "'(?="), 'g');

/** Escapes a text so that no spreadsheet executes it. */
export function escapeFormula(text: string): string {
  return text.replaceAll(executed, "'");
}

/** Reverts `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.replaceAll(escaped, '');
}

/** JSON in which the characters at which a spreadsheet may split a cell are escaped. */
export function unsplittableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[;|]/g, (character) =>
    character === ';' ? String.raw`\u003b` : String.raw`\u007c`,
  );
}
