import type { Place } from './procedure-places.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number as a source map has it: base 64, five bits a digit, the lowest first. */
function encoded(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/**
 * The map of a file of declarations, with which an editor goes from a declaration to its source.
 *
 * @param places the sources of the declarations at the beginnings of lines, by the line; all else is mapped to nothing
 * @param toRoot the path from the file to the root of the workspace
 */
export function declarationMap(
  text: string,
  { file, toRoot, places }: { file: string; toRoot: string; places: ReadonlyMap<number, Place> },
): string {
  const sources = [...new Set(Array.from(places.values(), ({ path }) => path))];
  let before = { source: 0, line: 0, column: 0 };
  const mappings = text.split('\n').map((_, index) => {
    const place = places.get(index);
    const nothing = encoded(0);
    if (place === undefined) return nothing;
    const next = { source: sources.indexOf(place.path), line: place.line, column: place.column };
    const numbers = [0, next.source - before.source, next.line - before.line, next.column - before.column];
    before = next;
    // The rest of the line is mapped to nothing.
    return `${numbers.map(encoded).join('')},${encoded(1)}`;
  });
  const map = {
    version: 3,
    file,
    sources: sources.map((path) => `${toRoot}${path}`),
    names: [],
    mappings: mappings.join(';'),
  };
  return `${JSON.stringify(map)}\n`;
}
