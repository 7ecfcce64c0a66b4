/**
 * The form in which texts are stored and compared: NFC, without characters that show nothing. A text typed on a Mac (NFD) or pasted
 * with a bidirectional mark is then the same text. It has no imports, because the clients of the service have the same rules.
 */

/** Scripts whose letters are joined or kept apart by ZWJ and ZWNJ. */
const joined = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
/** The signs of these scripts that take the vowel from a consonant: a joiner after one shapes the consonant, also at the end of a word. */
const viramas = '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca';

/** Invisible characters where they change what is seen beside them: in words of some scripts, in emoji, and variants of letters. */
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

/** Controls but NUL, tab and line breaks; what is ignored by default; and the characters of annotations between lines. */
const invisible =
  '[\\u0001-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const shapingOrInvisible = new RegExp(`(${shaping})|${invisible}`, 'gu');
/** White space, and what looks like it: the next line and the empty pattern of Braille. */
const blank = '[\\s\\u0085\\u2800]';
const blankEnds = new RegExp(`^${blank}+|${blank}+$`, 'gu');
const invisibleEnds = new RegExp(`^(?:${blank}|${invisible})+|(?:${blank}|${invisible})+$`, 'gu');
const isPlain = (text: string) => !/[^\t\n\r -~]/.test(text);

/** The form of a text without regard to its ends, for a part of one such as what it contains. */
export function normalText(text: string): string {
  if (isPlain(text)) return text;
  // A mark may come to the letter before it when a character between them is removed.
  return text
    .normalize('NFC')
    .replaceAll(shapingOrInvisible, (_, shape?: string) => shape ?? '')
    .normalize('NFC');
}

/** The form of a text that is stored: one that shows nothing is empty. */
export function trimmedText(text: string): string {
  if (isPlain(text)) return text.trim();
  return normalText(text).replaceAll(blankEnds, '');
}

/**
 * The form of a text in which invisible characters are a fault, such as an email address: an identity provider may know two mailboxes
 * that look the same. They are removed at the ends alone.
 */
export function exactText(text: string): string {
  if (isPlain(text)) return text.trim();
  return text.replaceAll(invisibleEnds, '').normalize('NFC');
}

/** A text by which letter case is ignored, by the rules of Unicode for no language. */
export const withoutCase = (text: string): string => normalText(text).toLowerCase();

/** Capitals of ASCII letters alone: codes have no others, and the capitals of some are two letters. */
export const asciiCapitals = (text: string): string =>
  text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());

/** The choice that a text names, in whatever letter case; undefined if it names none. */
export function choiceOf<Choice extends string>(
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  const named = asciiCapitals(trimmedText(text));
  return choices.find((choice) => choice === text) ?? choices.find((one) => asciiCapitals(one) === named);
}
