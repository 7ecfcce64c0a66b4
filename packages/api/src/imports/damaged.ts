/** Errors of formulas, as spreadsheets write them. */
const formulaError = /^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!)$/;
/** A number that a spreadsheet has rounded: the other digits of an ID or a licence are lost. */
const rounded = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/i;
/** A number with a fraction, which no postal code has. */
const fraction = /^\d+[.,]0+$/;

/**
 * The first value of a record that a spreadsheet has probably destroyed; undefined if there is none.
 *
 * @param value a record as a row has it, or a part of it
 */
export function findDamaged(value: unknown, name = ''): string | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    const isDamaged =
      formulaError.test(text) || rounded.test(text) || (name === 'postalCode' && fraction.test(text));
    return isDamaged ? text : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [part, inner] of Object.entries(value)) {
    const found = findDamaged(inner, part);
    if (found !== undefined) return found;
  }
  return undefined;
}
