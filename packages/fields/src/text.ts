/**
 * Texts are stored and compared in NFC without invisible characters, so that text typed on a Mac (NFD) or
 * pasted with a bidirectional mark is equal. No imports, because clients have the same rules.
 */

/** Scripts whose letters are joined or separated by ZWJ and ZWNJ. */
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** Viramas remove a consonant's vowel: a joiner after one shapes the consonant, even at a word's end. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';

/** Invisible, but shape their neighbours: in words of some scripts, emoji, and variants of letters. */
const shaping = [
  `(?<=[${viramas}]\\p{M}*)[\\u200c\\u200d]`,
  `(?<=(?=\\p{L})[${joined}]\\p{M}*)[\\u200c\\u200d](?=[\\p{L}\\p{M}])(?!\\p{Default_Ignorable_Code_Point})`,
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}',
  '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\u1820-\\u18aa])[\\u180b-\\u180f]',
].join('|');

/** Controls except NUL, tab and line breaks; default ignorables; and interlinear annotations. */
const invisible =
  '[\\u0001-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const shapingOrInvisible = new RegExp(`(${shaping})|${invisible}`, 'gu');
/** White space and lookalikes: next line and the blank Braille pattern. */
const blank = '[\\s\\u0085\\u2800]';
const blankEnds = new RegExp(`^${blank}+|${blank}+$`, 'gu');
const invisibleEnds = new RegExp(`^(?:${blank}|${invisible})+|(?:${blank}|${invisible})+$`, 'gu');
const isPlain = (text: string) => !/[^\t\n\r -~]/.test(text);

/** Without trimming, for a part of a text. */
export function normalText(text: string): string {
  if (isPlain(text)) return text;
  // Removing a character can put a mark after another letter.
  return text
    .normalize('NFC')
    .replaceAll(shapingOrInvisible, (_, shape?: string) => shape ?? '')
    .normalize('NFC');
}

/** A text without visible characters becomes empty. */
export function trimmedText(text: string): string {
  if (isPlain(text)) return text.trim();
  return normalText(text).replaceAll(blankEnds, '');
}

/** Keeps invisible characters inside, which are an error: mailboxes that look the same can differ. */
export function exactText(text: string): string {
  if (isPlain(text)) return text.trim();
  return text.replaceAll(invisibleEnds, '').normalize('NFC');
}

export const withoutCase = (text: string): string => normalText(text).toLowerCase();

/** Only ASCII letters: codes have no others, and some capitals are two letters. */
export const asciiCapitals = (text: string): string =>
  text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

/** In any letter case; undefined for an unknown text. */
export function choiceOf<Choice extends string>(
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  const named = asciiCapitals(trimmedText(text));
  return choices.find((choice) => choice === text) ?? choices.find((one) => asciiCapitals(one) === named);
}
