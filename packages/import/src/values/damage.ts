/** Letters and marks that UTF-8 becomes if it is read as windows-1252, Mac Roman or code page 850: `JoÃ£o`, `Jo√£o`, `Jo├úo`. */
const misread =
  /[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|[ÄÅ][\u0080-\u009f\u00a0-\u00bf€‚ƒ„…†‡ˆ‰‹‘’“”•–—˜™›œ]|â€|√[^\s\d]|[\u2500-\u259f]/;

/** A way in which a program has destroyed a value. */
interface Damage {
  pattern: RegExp;
  detail: string;
  /** The columns to which it applies; all if it is not given. */
  fields?: RegExp;
}

/** Forms of destroyed values, with the reasons. A value with one of them is a warning. */
const damages: readonly Damage[] = [
  {
    // The errors of formulas in every language begin with # and end with a mark, but for those that say "not available".
    pattern: /^#(?:[\p{Lu}\p{N}/_. ¡¿]{2,24}[!?]|N\/[A-Z]|NV|N\.D\.|I\/T|#+|GETTING_DATA)$/u,
    detail: 'is the error of a formula',
  },
  { pattern: /^(?:Err|Erro|Error|Fehler|Erreur|Błąd):\d{3}$/i, detail: 'is the error of a formula' },
  {
    pattern: /^[+-]?\d(?:[.,]\d+)?E(?:[+-]\d{1,3}|[12]\d)$/i,
    detail: 'is a long number that a spreadsheet has rounded',
  },
  {
    pattern: /^\d{15,17}0+$/,
    detail: 'is a number of more than 15 digits; a spreadsheet keeps only the first 15',
  },
  { pattern: /^\d+[.,]0+$/, detail: 'has a fraction, which no postal code has', fields: /postalCode$/ },
  {
    pattern: /^(?:\\N|[([<{]null[)\]>}]|NULL|undefined|NaN|nan|#?<na>)$|\[object \w+\]/,
    detail: 'is what a program writes for a missing value',
  },
  { pattern: /\ufffd/, detail: 'has characters that were lost' },
  { pattern: misread, detail: 'was read in a wrong encoding' },
  {
    pattern: /&(?:[a-z]{2,8}\d{0,2}|#\d{1,6}|#x[\da-f]{1,5});/i,
    detail: 'has a character of HTML, such as &amp;',
    fields: /^(?!.*(?:url|website|metadata))/i,
  },
  {
    pattern: /^[^\s:/?]{0,40}\p{L}\?\p{Ll}[^\s:/?]{0,40}$/u,
    detail: 'has a question mark for a character that was lost',
    fields: /name|city|line\d|county/i,
  },
];

/** Why a program has probably destroyed a text that is in a field; undefined if nothing says so. */
export function findDamage(text: string, field: string): string | undefined {
  const given = text.trim();
  return damages.find(({ pattern, fields }) => (fields?.test(field) ?? true) && pattern.test(given))?.detail;
}
