import { trimmedText } from '@roster/fields/text';
import { type Column, WHOLE_NAME } from './columns.ts';
import { findDamage } from './values/damage.ts';
import { type DateFormat, guessedYear } from './values/days.ts';
import { splitName } from './values/names.ts';

/**
 * The kinds of notes about a row: a value that a program has destroyed, a value that was read in one of several ways, or a row that is
 * perhaps no record.
 */
type NoteKind = 'damaged' | 'guessed' | 'notRecord';

/** Why the reading of a cell, or of a row, may be wrong. The row is written only if the warning of its kind is accepted. */
export interface Guess {
  kind: NoteKind;
  detail: string;
}

/** Ways in which the reading of a cell may be wrong, each with the reason; undefined for a cell that reads one way. */
const doubts: readonly ((
  text: string,
  column: Column,
  dates: DateFormat | undefined,
) => Guess | undefined)[] = [
  (text, { field }) => {
    const detail = findDamage(text, field);
    return detail === undefined ? undefined : { kind: 'damaged', detail };
  },
  (text, { isDay, side }, dates) => {
    const year = isDay ? guessedYear(text, dates, side) : undefined;
    return year === undefined
      ? undefined
      : { kind: 'guessed', detail: `has a year of two digits, read as ${year}` };
  },
  (text, { field }) => {
    const detail = field === WHOLE_NAME ? splitName(text).doubt : undefined;
    return detail === undefined ? undefined : { kind: 'guessed', detail };
  },
];

/**
 * Decides how certain the reading of a cell is. Undefined: it is known. A guess: it is likely, and shown as a warning. What cannot be
 * read at all is an error of its cell.
 */
export function guessOf(text: string, column: Column, dates: DateFormat | undefined): Guess | undefined {
  if (text === '') return undefined;
  for (const doubt of doubts) {
    const guess = doubt(text, column, dates);
    if (guess !== undefined) return guess;
  }
  return undefined;
}

const signs = /^[\p{P}\p{S}\s]+$/u;
const number = /^[\d\s.,%()-]+$/;
const total =
  /^\W*(?:(?:grand |sub)?-?total|totais|totales|sum\b|soma\b|suma\b|count\b|contagem|end of|fim d|fin del?\b|page \d|p[áa]gina \d|report\b|records?:|rows?:|generated|printed|prepared by|exported|updated on|as of|impresso|gerado|generado)/iu;
/** From so many columns on a row with a single cell is probably a title. */
const COLUMNS_MANY = 4;

/** Decides whether a row is perhaps no record: the header again, signs alone, a total, or one cell of many. */
export function guessOfRow(cells: readonly string[], headers: readonly string[]): Guess | undefined {
  const given = cells.map(trimmedText);
  const filled = given.filter((cell) => cell !== '');
  const bare = (text = '') => trimmedText(text).toLowerCase();
  const note = (detail: string): Guess => ({ kind: 'notRecord', detail });
  if (filled.length === 0) return undefined;
  if (filled.every((cell) => signs.test(cell))) return note('has only signs');
  const isHeader = given.every((cell, index) => cell === '' || bare(cell) === bare(headers[index]));
  if (isHeader && filled.length > 1) return note('repeats the header');
  const [first = '', ...others] = filled;
  if (total.test(first) && others.every((cell) => number.test(cell)))
    return note('looks like a total or the end of a report');
  return filled.length === 1 && headers.length >= COLUMNS_MANY
    ? note('has only one cell of many')
    : undefined;
}
