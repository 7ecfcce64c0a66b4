import { countries } from '@roster/fields/countries';
import { normalText } from '@roster/fields/text';
import { z } from 'zod';
import { countryCode, isSameLicense, regionCode } from '../sameness/keys.ts';
import { type Docs, date, forms, required, requiredText, text, textIssue, withoutNul } from './field.ts';
import { createShape, readShape } from './shapes.ts';

function countryText(docs: Docs) {
  const issueOf = (value: string) =>
    countries.has(value)
      ? undefined
      : { code: 'invalid_format', detail: 'must be an ISO 3166-1 alpha-2 code such as PT' };
  return text(
    { lengthMax: 2, format: 'country', issueOf, canonical: countryCode, pattern: forms.country },
    docs,
  );
}

export const addressParts = {
  line1: text({ lengthMax: 100 }, { description: 'Street and number', example: 'Rua da Prata 80' }),
  line2: text({ lengthMax: 100 }, { description: 'Floor, suite or unit', example: '2.º Esq.' }),
  city: text({ lengthMax: 100 }, { description: 'City or town', example: 'Lisboa' }),
  county: text({ lengthMax: 100 }, { description: 'County or parish', example: 'Lisboa' }),
  region: text(
    { lengthMax: 3, canonical: regionCode },
    { description: 'State or province: the part of its ISO 3166-2 code after the hyphen', example: '11' },
  ),
  postalCode: text(
    { lengthMax: 16 },
    { description: 'Postal code, in its local format', example: '1100-420' },
  ),
  country: countryText({ description: 'Country, as an upper-case ISO 3166-1 alpha-2 code', example: 'PT' }),
};

const Address = z
  .strictObject(readShape(addressParts))
  .meta({ id: 'Address', description: 'A postal address with at least one part that is not `null`' });
const NewAddress = z
  .strictObject(createShape(addressParts))
  .meta({ id: 'NewAddress', description: 'A postal address to write' });

function partsOf<Part extends string>(fields: Record<Part, unknown>): Part[] {
  return Object.keys(fields) as Part[];
}

/** An address without any part is null. A merge patch changes only the parts it contains. */
export function address(description: string) {
  // Complete, because a response has every part.
  const example = {
    line1: 'Rua da Prata 80',
    line2: '2.º Esq.',
    city: 'Lisboa',
    county: 'Lisboa',
    region: '11',
    postalCode: '1100-420',
    country: 'PT',
  };
  const docs = { description, example };
  const input = NewAddress.nullable().meta(docs);
  const output = Address.nullable().meta(docs);
  const storage = { parts: partsOf(addressParts), searchedParts: ['city' as const] };
  return { input, patch: input, output, required: false as const, storage };
}

const licenseParts = {
  number: requiredText(
    { lengthMax: 50 },
    { description: 'Licence number (RESO MemberStateLicense)', example: 'AMI-12345' },
  ),
  region: text(
    { lengthMax: 3, canonical: regionCode },
    {
      description: 'State or province that granted the licence (RESO MemberStateLicenseState)',
      example: '11',
    },
  ),
  type: text(
    { lengthMax: 30 },
    { description: 'Type of licence (RESO MemberStateLicenseType)', example: 'Broker' },
  ),
  expiresOn: date({ description: 'Last day the licence is valid', example: '2027-12-31' }),
};

/** Rejects a licence whose number and region an earlier one has. */
function rejectRepeatedLicenses(ctx: z.core.ParsePayload<z.output<typeof license.input>[]>): void {
  for (const [index, one] of ctx.value.entries()) {
    if (!ctx.value.slice(0, index).some((other) => isSameLicense(one, other))) continue;
    const params = { code: 'repeated' };
    const message = 'is already in use by an earlier licence';
    ctx.issues.push({ code: 'custom', input: one, path: [index, 'number'], message, params });
  }
}

export const license = {
  input: z
    .strictObject({
      number: licenseParts.number.input,
      region: licenseParts.region.input.default(null),
      type: licenseParts.type.input.default(null),
      expiresOn: licenseParts.expiresOn.input.default(null),
    })
    .meta({ id: 'NewLicense', description: 'A licence to write' }),
  output: z.strictObject(readShape(licenseParts)).meta({ id: 'License', description: 'A licence' }),
  listStorage: 'jsonb' as const,
  checkItems: rejectRepeatedLicenses,
};

export const nextLicenseExpiry = {
  output: z.string().nullable().meta({
    description:
      'Earliest expiry date among the licences, past or future; `null` if none has one. Derived from `licenses`.',
    example: '2027-12-31',
    format: 'date',
  }),
  storage: 'text' as const,
  isComputed: true,
};

const sourceParts = {
  name: requiredText(
    { lengthMax: 255 },
    { description: 'Name of the source system (RESO OriginatingSystemName)', example: 'MLS Lisboa' },
  ),
  key: requiredText(
    { lengthMax: 255 },
    { description: 'Key of the record in the source system', example: 'OFF-0042' },
  ),
};

const Source = z
  .strictObject(readShape(sourceParts))
  .meta({ id: 'Source', description: 'Source of the record: a system, and the key of the record in it' });

/** The system a record comes from and its key there, unique together. */
export function source(description: string) {
  const docs = { description, example: { name: 'MLS Lisboa', key: 'OFF-0042' } };
  const input = z
    .strictObject({ name: sourceParts.name.input, key: sourceParts.key.input })
    .nullable()
    .meta(docs);
  const patch = z
    .strictObject({ name: sourceParts.name.input.nullable(), key: sourceParts.key.input.nullable() })
    .partial()
    .nullable()
    .meta(docs);
  const output = Source.nullable().meta(docs);
  const storage = { parts: partsOf(sourceParts), isOneValue: true as const };
  return { input, patch, output, required: false as const, storage };
}

const PAIRS_MAX = 50;

function untrimmedText(lengthMax: number, form: (text: string) => string) {
  return z
    .string()
    .overwrite(form)
    .check((ctx) => {
      const issue = textIssue(ctx.value, lengthMax);
      if (issue === undefined) return;
      ctx.issues.push({
        code: 'custom',
        input: ctx.value,
        message: issue.detail,
        params: { code: issue.code },
      });
    });
}

const pairsOf = (pairs: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => pair[1] !== null));

/** Two names that become the same text are an error, so that no pair is lost. */
function rejectRepeatedNames(given: Record<string, string | null> | null, ctx: z.core.$RefinementCtx) {
  if (typeof given !== 'object' || given === null) return given;
  const names = new Set<string>();
  for (const name of Object.keys(given)) {
    const form = normalText(name);
    if (names.has(form)) {
      const message =
        'is the name of another pair too: only its invisible characters or its Unicode form differ';
      ctx.addIssue({ code: 'custom', input: given, path: [name], message, params: { code: 'repeated' } });
    }
    names.add(form);
  }
  return given;
}

/**
 * Custom pairs, not trimmed; values keep invisible characters. A null or empty value removes the pair in a
 * merge patch. One patch can replace every pair by as many others, so the database checks the number that
 * results.
 */
export function metadata(docs: Docs) {
  const value = untrimmedText(500, (text) => text.normalize('NFC')).meta({
    maxLength: 500,
    pattern: withoutNul,
  });
  const pair = z.preprocess((given: string | null) => (given === '' ? null : given), value.nullable());
  const key = untrimmedText(40, normalText)
    .check(required)
    .meta({ minLength: 1, maxLength: 40, pattern: withoutNul });
  const few = (ctx: z.core.ParsePayload<Record<string, unknown>>) => {
    const held = Object.values(ctx.value).filter((pair) => pair !== null).length;
    if (held <= PAIRS_MAX && Object.keys(ctx.value).length <= 2 * PAIRS_MAX) return;
    const message = `must hold at most ${PAIRS_MAX} pairs`;
    ctx.issues.push({ code: 'custom', input: ctx.value, message, params: { code: 'too_many' } });
  };
  const meta = { ...docs, maxProperties: PAIRS_MAX };
  return {
    input: z
      .preprocess(rejectRepeatedNames, z.record(key, pair).check(few).transform(pairsOf).nullable())
      .meta(meta),
    patch: z
      .preprocess(rejectRepeatedNames, z.record(key, pair).check(few).nullable())
      .meta({ ...meta, maxProperties: 2 * PAIRS_MAX }),
    output: z.record(z.string(), z.string()).meta(meta),
    required: false as const,
    storage: 'pairs' as const,
  };
}
