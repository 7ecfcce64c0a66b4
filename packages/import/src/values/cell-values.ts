import type { Column } from '../columns.ts';
import { readChoice } from './choices.ts';
import { escapeFormula, unescapeFormula, unsplittableJson } from './formulas.ts';

/** A cell that cannot be parsed. */
export class CellParseError extends Error {}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CellParseError('is not JSON');
  }
}

/** Parses a comma-separated list, or a JSON array. */
function listOf(text: string): unknown {
  if (text.trimStart().startsWith('[')) return jsonOf(text);
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Parses the text of a cell; empty text is null. Throws `CellParseError`. */
function parseText(text: string, { kind, choices }: Pick<Column, 'kind' | 'choices'>): unknown {
  if (text.trim() === '') return null;
  switch (kind) {
    case 'list':
      return listOf(text);
    case 'json':
      return jsonOf(text);
    case 'choice':
      return readChoice(text, choices);
    case 'text':
      return text;
  }
}

/** Parses a cell of a CSV file. Throws `CellParseError`. */
export function parseCell(cell: string, column: Pick<Column, 'kind' | 'choices'>): unknown {
  return parseText(unescapeFormula(cell), column);
}

/** Parses a member of an NDJSON object; values other than texts are unchanged. Throws `CellParseError`. */
export function parseMember(member: unknown, column: Pick<Column, 'kind' | 'choices'>): unknown {
  return typeof member === 'string' ? parseText(member, column) : member;
}

const isPlain = (item: unknown) => typeof item === 'string' && /^[^,\s[]([^,]*[^,\s])?$/.test(item);

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
