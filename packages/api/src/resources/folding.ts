/**
 * The folding of a text for searches: in its compatibility form (NFKC), in capitals, and without accents. Small letters differ
 * by their place in a word (Σ is σ or ς), capitals do not. Accents are the combining marks U+0300 to U+036F of Latin, Greek and
 * Cyrillic letters; those of other scripts tell letters apart and stay. It needs no extension of PostgreSQL.
 */

/** Capitals with a stroke or of two letters, which have no accent to take away. */
const plainLetters: Record<string, string> = { Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Ħ: 'H', Ŧ: 'T' };
const plainPairs: Record<string, string> = { Æ: 'AE', Œ: 'OE', Þ: 'TH' };
const plain: Record<string, string> = { ...plainLetters, ...plainPairs };

const ACCENTS = /[\u0300-\u036f]/g;
const STROKES = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Capitals without accents. */
export function unaccented(capitals: string): string {
  if (!BEYOND_ASCII.test(capitals)) return capitals;
  return capitals
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .replaceAll(STROKES, (letter) => plain[letter] ?? letter);
}

/** A text as it is compared with the words of a search, for texts that the database has not folded. */
export function folded(text: string): string {
  return unaccented(text.normalize('NFKC').toUpperCase());
}

/** The same as `unaccented`, as an SQL expression of an expression. */
export function unaccentedSql(capitals: string): string {
  const accents = `'[' || chr(${0x300}) || '-' || chr(${0x36f}) || ']'`;
  const bare = `normalize(regexp_replace(normalize(${capitals}, nfd), ${accents}, '', 'g'), nfc)`;
  const letters = `'${Object.keys(plainLetters).join('')}', '${Object.values(plainLetters).join('')}'`;
  return Object.entries(plainPairs).reduce(
    (text, [letter, pair]) => `replace(${text}, '${letter}', '${pair}')`,
    `translate(${bare}, ${letters})`,
  );
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The beginning and the end of a character in a text, in UTF-16 code units. */
interface Place {
  start: number;
  end: number;
}

/**
 * A folded text, and where the character that one of its UTF-16 code units comes from is in the text as it was. `placeAt`
 * is for units of the folded text alone.
 */
export function foldedWithPlaces(text: string): { folded: string; placeAt: (unit: number) => Place } {
  if (!BEYOND_ASCII.test(text)) {
    // Each code unit is a character, and its capital is one too. The segmenter would take a hundred times as long.
    return { folded: text.toUpperCase(), placeAt: (start) => ({ start, end: start + 1 }) };
  }
  const places: Place[] = [];
  let all = '';
  for (const { segment, index } of graphemes.segment(text)) {
    const part = folded(segment);
    const place = { start: index, end: index + segment.length };
    for (let unit = 0; unit < part.length; unit += 1) places.push(place);
    all += part;
  }
  return { folded: all, placeAt: (unit) => places[unit] ?? outside(unit) };
}

function outside(unit: number): never {
  throw new RangeError(`the folded text has no unit ${unit}`);
}
