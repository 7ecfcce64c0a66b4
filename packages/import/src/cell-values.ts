import { trimmedText } from '@roster/fields/text';
import type { Column } from './columns.ts';
import { findLostMembers } from './json-members.ts';
import { guessChoice, readChoice } from './values/choices.ts';
import { toIsoDay } from './values/days.ts';
import { escapeFormula, unescapeFormula, unsplittableJson } from './values/formulas.ts';
import { readLanguage } from './values/languages.ts';

/** A cell that cannot be parsed. */
export class CellParseError extends Error {
  /** A code for programs. */
  readonly code: string;

  constructor(message: string, code = 'invalid_format') {
    super(message);
    this.code = code;
  }
}

type CellColumn = Pick<
  Column,
  'kind' | 'choices' | 'isCountry' | 'isDay' | 'side' | 'isAddress' | 'isLanguages'
>;

function jsonOf(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CellParseError('is not JSON');
  }
  const [lost] = findLostMembers(text, value);
  if (lost !== undefined)
    throw new CellParseError(`has the name ${lost.path.join('.')}, which ${lost.detail}`, lost.code);
  return value;
}

/** Parses a list that commas or semicolons separate, or a JSON array. */
function listOf(text: string): unknown {
  if (text.trimStart().startsWith('[')) return jsonOf(text);
  return text
    .split(/[,;]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The items of a list of languages by their tags. */
const languagesOf = (items: unknown, { isLanguages = false }: CellColumn): unknown =>
  isLanguages && Array.isArray(items)
    ? items.map((item: unknown) => (typeof item === 'string' ? readLanguage(item) : item))
    : items;

/** Parses the text of a cell; empty text is null. Throws `CellParseError`. */
function parseText(text: string, column: CellColumn): unknown {
  const { kind, choices, isCountry, isDay, side } = column;
  if (trimmedText(text) === '') return null;
  switch (kind) {
    case 'list':
      return languagesOf(listOf(text), column);
    case 'json':
      // A whole address is kept as its first line.
      if (column.isAddress && !/^[{[]/.test(text.trimStart())) return { line1: text };
      return jsonOf(text);
    case 'choice':
      if (isCountry && guessChoice(text, choices ?? [], true) === undefined)
        throw new CellParseError('is not the code or the name of a country', 'invalid_choice');
      return readChoice(text, choices, isCountry);
    case 'text':
      return isDay ? toIsoDay(text, undefined, side) : text;
  }
}

/** Parses a cell of a CSV file. Throws `CellParseError`. */
export function parseCell(cell: string, column: CellColumn): unknown {
  return parseText(unescapeFormula(cell), column);
}

/** Parses a member of an NDJSON object; lists and objects are unchanged. Throws `CellParseError`. */
export function parseMember(member: unknown, column: CellColumn): unknown {
  if (typeof member === 'string') return parseText(member, column);
  const { kind } = column;
  if ((kind === 'text' || kind === 'choice') && member !== null)
    throw new CellParseError('must be a text', 'invalid_type');
  return member;
}

const isPlain = (item: unknown) => typeof item === 'string' && /^[^,;\s[]([^,;]*[^,;\s])?$/.test(item);

/** Formats a value as a cell; the inverse of `parseCell`. */
export function formatCell(value: unknown, { kind }: Pick<Column, 'kind'>): string {
  if (value === null || value === undefined) return '';
  if (kind === 'list') {
    const items = value as unknown[];
    return items.every(isPlain) ? escapeFormula(items.join(',')) : unsplittableJson(items);
  }
  if (kind === 'json') return unsplittableJson(value);
  return escapeFormula(String(value));
}
