/**
 * A spreadsheet takes a cell that begins with one of `=+-@`, or with one of their full-width forms, for a formula (OWASP,
 * CSV injection), and ignores a tab or line break before them. A spreadsheet whose list separator is not the comma splits
 * a row at `;`, a tab or `|`, and ends it at a line break, so a formula may also begin after one of these, behind quotes.
 * An apostrophe in each of these places makes the rest text; another one is put before an apostrophe that stands there
 * already, so that every text is read as it was written.
 */
const place = String.raw`(?<=^)(?=['"]*[\t\r\n])|(?<=^|[;|\t\r\n])(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])`;
const executed = new RegExp(place, 'g');
const escaped = new RegExp(place.replaceAll('(?=', "'(?="), 'g');

/** The text of a cell that no spreadsheet executes. */
export function escapeFormula(text: string): string {
  return text.replaceAll(executed, "'");
}

/** The text that was escaped; any other as it is. */
export function unescapeFormula(cell: string): string {
  return cell.replaceAll(escaped, '');
}

/** JSON without the characters at which a spreadsheet may split it; they stand in strings alone, as escapes. */
export function unsplittableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[;|]/g, (character) =>
    character === ';' ? String.raw`\u003b` : String.raw`\u007c`,
  );
}
