import { lettersOfHost } from '../sameness/keys.ts';
import { type Docs, requiredText, type TextRules, text } from './field.ts';

/** RFC 5321, simplified: text, one `@`, text. */
const address = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/u;
/** Quoted names before the `@` and IP addresses after it can have otherwise forbidden characters. */
const quotedPart = /^"[^"]*"(?=@)|\[[\w.:]+\]$/g;
const surroundings = /[:;,()<>‹›«»〈〉《》＜＞]/u;
/** Invisible characters, which would make one address look like several. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

/** The contract (`packages/contract/src/check.ts`) has the same rules for its clients. */
const emailRules: TextRules = {
  lengthMax: 254,
  format: 'idn-email',
  isExact: true,
  canonical: lettersOfHost,
  issueOf: (value) => {
    const detail = 'must be an email address such as ana@example.com';
    if (!address.test(value)) return { code: 'invalid_format', detail };
    if (!invisible.test(value) && !surroundings.test(value.replace(quotedPart, ''))) return undefined;
    const without = 'invisible characters, angle quotes or : ; , ( )';
    return { code: 'invalid_format', detail: `${detail}, without ${without}` };
  },
};

export function emailText(docs: Docs) {
  return text(emailRules, docs);
}

export function requiredEmail(docs: Docs) {
  return requiredText(emailRules, docs);
}

/** The country of the record decides how it is read (`readTelephones`). */
export function telephoneText({ description, ...docs }: Docs) {
  const form = 'Stored as E.164; numbers without a country code use the address, office or default country';
  const field = text({ lengthMax: 32, format: 'phone' }, { description: `${description}. ${form}`, ...docs });
  return { ...field, isTelephone: true as const };
}

export const urlRules = (what: string): TextRules => ({
  lengthMax: 2048,
  format: 'iri',
  issueOf: (value) =>
    /^https?:\/\//i.test(value) && URL.canParse(value) && !/\s/.test(value)
      ? undefined
      : { code: 'invalid_format', detail: `must be ${what}` },
});

const webUrl = urlRules('an http or https URL');

export function urlText(docs: Docs) {
  return text(webUrl, docs);
}

export function urlItem(docs: Docs) {
  const { input, output } = requiredText(webUrl, docs);
  return { input, output, listStorage: 'text[]' as const };
}
