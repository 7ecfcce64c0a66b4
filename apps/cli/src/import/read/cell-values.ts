import type { Column } from './columns.ts';
import { escapeFormula, unescapeFormula, unsplittableJson } from './formulas.ts';

/** A cell whose text means nothing; the message says why. */
export class UnreadableCell extends Error {}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableCell('is not JSON');
  }
}

/** One of few words, in any letter case, with spaces or hyphens in it: `Stand Alone` is `stand_alone`. */
function choiceOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** Texts with commas between; as JSON where one of them holds a comma. */
function listOf(text: string): unknown {
  if (text.trimStart().startsWith('[')) return jsonOf(text);
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** What a text means in a column. An empty one means null. Throws `UnreadableCell`. */
function meaningOf(text: string, kind: Column['kind']): unknown {
  if (text.trim() === '') return null;
  switch (kind) {
    case 'list':
      return listOf(text);
    case 'json':
      return jsonOf(text);
    case 'choice':
      return choiceOf(text);
    case 'text':
      return text;
  }
}

/** The value of a cell of a CSV file. Throws `UnreadableCell`. */
export function valueOfCell(cell: string, { kind }: Pick<Column, 'kind'>): unknown {
  return meaningOf(unescapeFormula(cell), kind);
}

/** The value of a member of an NDJSON object: what is no text is what it says. Throws `UnreadableCell`. */
export function valueOfMember(member: unknown, { kind }: Pick<Column, 'kind'>): unknown {
  return typeof member === 'string' ? meaningOf(member, kind) : member;
}

const isPlain = (item: unknown) => typeof item === 'string' && /^[^,\s[]([^,]*[^,\s])?$/.test(item);

/** The cell for a value, which `valueOfCell` reads as that value. */
export function cellOf(value: unknown, { kind }: Pick<Column, 'kind'>): string {
  if (value === null || value === undefined) return '';
  if (kind === 'list') {
    const items = value as unknown[];
    return items.every(isPlain) ? escapeFormula(items.join(',')) : unsplittableJson(items);
  }
  if (kind === 'json') return unsplittableJson(value);
  return escapeFormula(String(value));
}
