import { type Docs, requiredText, type TextRules, text } from './field.ts';

/** An e-mail address: something, one `@`, something (RFC 5321). */
const address = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/u;
/** A name in quotes before the `@`, or an IP address after it, which may have characters that addresses otherwise have not. */
const quotedPart = /^"[^"]*"(?=@)|\[[\w.:]+\]$/g;
/** Characters that belong around an address: those of a scheme, angle quotes, and what separates addresses. */
const surroundings = /[:;,()<>‹›«»〈〉《》＜＞]/u;
/** Characters that are not seen, with which one address would be several: controls, formats and what is ignored by default. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/u;

/**
 * An e-mail address of 254 characters at most. Invisible characters inside are rejected. The contract (`packages/contract/src/check.ts`)
 * has the same rules for its clients.
 */
const emailRules: TextRules = {
  lengthMax: 254,
  format: 'idn-email',
  isExact: true,
  issueOf: (value) => {
    const detail = 'must be an email address such as ana@example.com';
    if (!address.test(value)) return { code: 'invalid_format', detail };
    if (!invisible.test(value) && !surroundings.test(value.replace(quotedPart, ''))) return undefined;
    const without = 'invisible characters, angle quotes or : ; , ( )';
    return { code: 'invalid_format', detail: `${detail}, without ${without}` };
  },
};

/** An e-mail address, or null. */
export function emailText(docs: Docs) {
  return text(emailRules, docs);
}

/** An e-mail address that must be there. */
export function requiredEmail(docs: Docs) {
  return requiredText(emailRules, docs);
}

/** A telephone or fax number, or null. What it must be depends on the country of the record (`readTelephones`). */
export function telephoneText({ description, ...docs }: Docs) {
  const form = 'Stored as E.164; numbers without a country code use the address, office or default country';
  const field = text({ lengthMax: 32, format: 'phone' }, { description: `${description}. ${form}`, ...docs });
  return { ...field, isTelephone: true as const };
}

/** The rules of an absolute http or https URL; `what` names in the error what a value must be. */
export const urlRules = (what: string): TextRules => ({
  lengthMax: 2048,
  format: 'iri',
  issueOf: (value) =>
    /^https?:\/\//i.test(value) && URL.canParse(value) && !/\s/.test(value)
      ? undefined
      : { code: 'invalid_format', detail: `must be ${what}` },
});

const webUrl = urlRules('an http or https URL');

/** An absolute http or https URL, or null. */
export function urlText(docs: Docs) {
  return text(webUrl, docs);
}

/** An absolute http or https URL inside a list. */
export function urlItem(docs: Docs) {
  const { input, output } = requiredText(webUrl, docs);
  return { input, output, listStorage: 'text[]' as const };
}
