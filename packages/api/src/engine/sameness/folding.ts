/**
 * Folds text for searches: NFKC, upper case, no accents, no punctuation. Upper case, because lower-case
 * letters differ by position (Σ is σ or ς). Accents are the combining marks U+0300 to U+036F of Latin, Greek
 * and Cyrillic letters; in other scripts marks distinguish letters and stay. Apostrophes are removed, so that
 * O’Malley, O'Malley and OMalley are equal; other punctuation separates words, so that Smith-Jones equals
 * Smith Jones. Needs no PostgreSQL extension.
 */

/** Capitals with a stroke or of two letters, which have no combining mark to remove. */
const plainLetters: Record<string, string> = { Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Ħ: 'H', Ŧ: 'T' };
const plainPairs: Record<string, string> = { Æ: 'AE', Œ: 'OE', Þ: 'TH' };
const plain: Record<string, string> = { ...plainLetters, ...plainPairs };

/** Apostrophes and the characters typed instead. They don't separate words. */
const APOSTROPHES = "'`\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u05f3\u2018\u2019\u201b\u2032";
/** Typed for an apostrophe. Its compatibility form is a space with an accent, which would separate words. */
const ACUTE = '\u00b4';

/** Punctuation around and between words, except the punctuation of emails: `.@_+`. */
const SEPARATORS =
  '-\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u30a0' +
  '"\u00ab\u00bb\u05f4\u201a\u201c\u201d\u201e\u201f\u2039\u203a\u300a\u300b\u300c\u300d\u300e\u300f' +
  '()[]{}<>,;:!?/&\u00a1\u00b7\u00bf\u060c\u061b\u061f\u2022\u3001\u3002\u30fb' +
  '\t\n\v\f\r\u0085\u1680\u2028\u2029';
/** Surrounds each field in the searched text of a row. In a search it separates words. */
export const FIELD_END = '|';

const ACCENTS = /[\u0300-\u036f]/g;
const STROKES = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');
const anyOf = (characters: string) => new RegExp(`[${characters.replaceAll(/[-\\\]^[]/g, '\\$&')}]`, 'g');
const APOSTROPHE = anyOf(APOSTROPHES);
const SEPARATOR = anyOf(SEPARATORS + FIELD_END);
const BEYOND_ASCII = /[\u0080-\uffff]/;

export function unaccented(capitals: string): string {
  if (!BEYOND_ASCII.test(capitals)) return capitals;
  return capitals
    .normalize('NFD')
    .replaceAll(ACCENTS, '')
    .normalize('NFC')
    .replaceAll(STROKES, (letter) => plain[letter] ?? letter);
}

const compatible = (text: string) => text.replaceAll(ACUTE, "'").normalize('NFKC');
const unpunctuated = (text: string) => text.replaceAll(APOSTROPHE, '').replaceAll(SEPARATOR, ' ');

/** For texts that the database has not folded. */
export function folded(text: string): string {
  return unaccented(unpunctuated(compatible(text).toUpperCase()));
}

/** Without punctuation, in compatibility form. */
export function wordsOf(text: string): string[] {
  return splitWords(unpunctuated(compatible(text)));
}

/** Signs that separate words in a search. Dots and the like do so between letters, as in `Ana.Reis`. */
const SIGNS = /[*~^=#$%\\]+|(?<=[\p{L}\p{M}])[._+]+(?=\p{L})/u;

/** The words of a search without punctuation. An email address is one word; a dot belongs to a word only inside it. */
export function splitWords(unpunctuatedText: string): string[] {
  return unpunctuatedText
    .split(/[ |]/)
    .flatMap((word) => (word.includes('@') ? [word] : word.split(SIGNS)))
    .map((word) => word.replaceAll(/^\.+|\.+$/g, ''))
    .filter((word) => word !== '');
}

/** For a regular expression of PostgreSQL. */
function classSql(characters: string): string {
  const units = Array.from(characters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `[${units.join('')}]`;
}

function capitalsSql(text: string): string {
  return `upper(normalize(replace(${text}, '${ACUTE}', ''''), nfkc) collate "und-x-icu")`;
}

/**
 * The searched text of a row, and the words of a search: one space between words. Accents are removed before
 * words are separated, because the compatibility form of some letters is a space with an accent.
 */
export function foldedSql(text: string): string {
  return unpunctuatedSql(unaccentedSql(capitalsSql(text)));
}

/** `wordsOf` in SQL. Keeps `FIELD_END`. The cost of `translate` would grow with the number of characters. */
export function unpunctuatedSql(capitals: string): string {
  const without = `regexp_replace(${capitals}, '${classSql(APOSTROPHES)}', '', 'g')`;
  const separated = `regexp_replace(${without}, '${classSql(SEPARATORS)}', ' ', 'g')`;
  return `regexp_replace(${separated}, '\\.+ [ .]*| [ .]+', ' ', 'g')`;
}

/** `unaccented` in SQL. */
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

/** In UTF-16 code units. */
interface Place {
  start: number;
  end: number;
}

/** `placeAt` finds the original character of a UTF-16 code unit in the folded text. */
export function foldedWithPlaces(text: string): { folded: string; placeAt: (unit: number) => Place } {
  if (!BEYOND_ASCII.test(text) && text.search(APOSTROPHE) === -1) {
    // One code unit for each character and its capital. The segmenter would take a hundred times as long.
    return { folded: unpunctuated(text.toUpperCase()), placeAt: (start) => ({ start, end: start + 1 }) };
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
