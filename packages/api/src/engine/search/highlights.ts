import { z } from 'zod';
import { hasParts, valueAt } from '../fields/columns.ts';
import type { Fields } from '../fields/field.ts';
import { foldedWithPlaces } from '../sameness/folding.ts';
import type { SearchTerm } from './search.ts';

/** A matching part of a field, in UTF-16 code units from `start` to before `end`, as in JavaScript. */
export const Highlight = z
  .strictObject({
    field: z.string().meta({ description: 'Field that contains the match', example: 'address.city' }),
    start: z.int32().min(0).meta({
      description: 'Start of the match, in UTF-16 code units',
      example: 0,
    }),
    end: z
      .int32()
      .min(0)
      .meta({ description: 'End of the match, exclusive, in UTF-16 code units', example: 6 }),
  })
  .meta({ id: 'Highlight', description: 'A part of a field that matches the search' });
export type Highlight = z.infer<typeof Highlight>;

/** Per record, because a search for one letter can match every other character. */
export const HIGHLIGHTS_MAX = 100;

interface Highlighted {
  fields?: Fields;
  searchedPaths?: readonly string[];
}

/** `licenses.*.number` of a record with two licences is `licenses.0.number` and `licenses.1.number`. */
function pathsIn(record: unknown, path: string): string[] {
  const [before = '', after] = path.split('.*');
  if (after === undefined) return [path];
  const items = valueAt(record, before.split('.'));
  return Array.isArray(items) ? items.map((_, at) => `${before}.${at}${after}`) : [];
}

function searchedPathsOf({ fields = {}, searchedPaths = [] }: Highlighted): string[] {
  const own = Object.entries(fields).flatMap(([name, { storage, isSearched = false }]) => {
    if (!isSearched) return [];
    return hasParts(storage) ? (storage.searchedParts ?? []).map((part) => `${name}.${part}`) : [name];
  });
  return [...own, ...searchedPaths];
}

export function matchesIn(text: string, words: readonly string[]): { start: number; end: number }[] {
  const { folded, placeAt } = foldedWithPlaces(text);
  const found: { start: number; end: number }[] = [];
  for (const word of words) {
    if (word === '') continue;
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
      found.push({ start: placeAt(at).start, end: placeAt(at + word.length - 1).end });
    }
  }
  found.sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: { start: number; end: number }[] = [];
  for (const range of found) {
    const before = merged.at(-1);
    if (before !== undefined && range.start <= before.end) before.end = Math.max(before.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

export function highlightsIn(
  records: readonly unknown[],
  searched: Highlighted,
  terms: SearchTerm[],
): Highlight[][] {
  const paths = searchedPathsOf(searched);
  const words = [...new Set(terms.flat().map(({ text }) => text))];
  const highlightsOf = (record: unknown) =>
    paths
      .flatMap((path) => pathsIn(record, path))
      .flatMap((field) => {
        const text = valueAt(record, field.split('.'));
        return typeof text !== 'string' ? [] : matchesIn(text, words).map((range) => ({ field, ...range }));
      });
  return records.map((record) => highlightsOf(record).slice(0, HIGHLIGHTS_MAX));
}
