import { choiceOf, exactText, trimmedText } from '@roster/fields/text';
import { z } from 'zod';
import { isLanguage, languageCode } from '../sameness/keys.ts';

/** A merge patch replaces `jsonb`, and merges the pairs of `pairs`, a jsonb object. */
export type ColumnType = 'text' | 'text[]' | 'uuid' | 'int' | 'timestamptz' | 'jsonb' | 'pairs';

export interface PartColumns<Part extends string = string> {
  parts: readonly Part[];
  searchedParts?: readonly Part[];
  /** Whether the parts only make sense together, so that they always change as a whole. */
  isOneValue?: true;
}

export interface ReadField<Out extends z.ZodType = z.ZodType> {
  output: Out;
  storage: ColumnType | PartColumns;
  isComputed?: boolean;
  /** Whether the full-text search `q` covers it; for an object, its `searchedParts`. */
  isSearched?: boolean;
  isTelephone?: boolean;
}

export interface WrittenField<
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  Patch extends z.ZodType = In,
> extends ReadField<Out> {
  input: In;
  patch: Patch;
  required: boolean;
}

export type Docs = {
  /** With its unit, and its name in the RESO Data Dictionary if it has one. */
  description: string;
  example: unknown;
};

export type TextIssue = { code: string; detail: string } | undefined;

/** Counting without a copy of the characters is forty times as fast. */
function codePointsIn(text: string): number {
  let count = text.length;
  for (let place = 0; place < text.length; place += 1) {
    if ((text.charCodeAt(place) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}

export function idDocs(description: string, example = '01980a40-7b1c-7a2d-8e3f-4a5b6c7d8e9f') {
  return { description, example, format: 'uuid' };
}

export function returnedId(description: string, example = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11') {
  return z.string().meta(idDocs(description, example));
}

/** Rejects NUL, which PostgreSQL can't store, and lone surrogates. */
export function textIssue(value: string, lengthMax: number): TextIssue {
  if (value.includes('\0')) return { code: 'invalid_character', detail: 'must not contain NUL (U+0000)' };
  if (!value.isWellFormed()) return { code: 'invalid_character', detail: 'must be well-formed Unicode' };
  if (value.length <= lengthMax) return undefined;
  const length = codePointsIn(value);
  if (length <= lengthMax) return undefined;
  return { code: 'too_long', detail: `must be at most ${lengthMax} characters long, and is ${length}` };
}

/** Patterns for the document: text without NUL, and text that isn't blank. */
export const withoutNul = '^[^\\u0000]*$';
export const notBlank = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** Patterns for the document. An optional text may be empty, which means null. */
export const forms = {
  timeZone: '^\\s*([A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*)?\\s*$',
  country: '^\\s*([A-Za-z]{2})?\\s*$',
  language: '^\\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\\s*$',
  httpsUrl: '^\\s*[Hh][Tt][Tt][Pp][Ss]://[^\\s\\u0000]+\\s*$',
};

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function checkedText({
  lengthMax,
  issueOf = () => undefined,
  canonical = (form) => form,
  isExact,
}: TextRules) {
  const form = isExact ? exactText : trimmedText;
  const formed = z.string().overwrite((given) => canonical(form(given)));
  return formed.check((ctx) => {
    if (ctx.value === '') return;
    const issue = textIssue(ctx.value, lengthMax) ?? issueOf(ctx.value);
    if (issue === undefined) return;
    const { code, detail } = issue;
    ctx.issues.push({ code: 'custom', input: ctx.value, message: detail, params: { code } });
  });
}

export const required = (ctx: z.core.ParsePayload<string>) => {
  if (ctx.value !== '') return;
  ctx.issues.push({ code: 'custom', input: '', message: 'must not be empty', params: { code: 'required' } });
};

export interface TextRules {
  lengthMax: number;
  format?: string;
  pattern?: string;
  issueOf?: (value: string) => TextIssue;
  canonical?: (text: string) => string;
  isExact?: boolean;
}

export function requiredText(rules: TextRules, docs: Docs) {
  const { lengthMax, format, pattern = notBlank } = rules;
  const meta = { ...docs, minLength: 1, maxLength: lengthMax, ...(format && { format }) };
  const input = checkedText(rules)
    .check(required)
    .meta({ ...meta, pattern });
  return {
    input,
    patch: input,
    output: z.string().meta(meta),
    required: true as const,
    storage: 'text' as const,
  };
}

export function text(rules: TextRules, docs: Docs) {
  const { lengthMax, format, pattern = withoutNul } = rules;
  const meta = { ...docs, maxLength: lengthMax, ...(format && { format }) };
  const input = checkedText(rules)
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .meta({ ...meta, pattern });
  return {
    input,
    patch: input,
    output: z.string().nullable().meta(meta),
    required: false as const,
    storage: 'text' as const,
  };
}

/** An optional field accepts an empty text as null, because forms and files send it for fields left blank. */
function emptyAsNull<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value: z.input<Schema>) => (typeof value === 'string' && trimmedText(value) === '' ? null : value),
    schema,
  );
}

/** A day (`YYYY-MM-DD`) or null, as part of an object. An empty text is null. */
export function date(docs: Docs) {
  return {
    input: emptyAsNull(z.iso.date().nullable()).meta(docs),
    output: z
      .string()
      .nullable()
      .meta({ ...docs, format: 'date' }),
  };
}

export function choice<Schema extends z.ZodType>(
  schema: Schema,
  choices: readonly (z.input<Schema> & string)[],
) {
  return z.preprocess(
    (given: z.input<Schema>) => (typeof given === 'string' ? (choiceOf(given, choices) ?? given) : given),
    schema,
  );
}

export function enumField<const Value extends string>(values: readonly [Value, ...Value[]], docs: Docs) {
  // With a list, the packed declaration would have a type that applications can't check.
  const entries = Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };
  const output = z.enum(entries).nullable().meta(docs);
  const input = emptyAsNull(choice(output, values)).meta(docs);
  return { input, patch: input, output, required: false as const, storage: 'text' as const };
}

/** The ID of another record, or null. The example is null because no ID exists in every directory. */
export function reference(docs: Docs) {
  const input = emptyAsNull(z.uuid().toLowerCase().nullable()).meta({ ...docs, example: null });
  return {
    input,
    patch: input,
    output: z
      .string()
      .nullable()
      .meta({ ...docs, format: 'uuid' }),
    required: false as const,
    storage: 'uuid' as const,
  };
}

export function timeZoneText(docs: Docs) {
  const issueOf = (value: string): TextIssue =>
    /^[A-Za-z]/.test(value) && isTimeZone(value)
      ? undefined
      : { code: 'invalid_format', detail: 'must be an IANA time zone such as Europe/Lisbon' };
  return text({ lengthMax: 64, issueOf, pattern: forms.timeZone }, docs);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

interface ListItem<Item, Read, Stored> {
  input: Item;
  output: Read;
  listStorage: Stored;
  checkItems?: (ctx: z.core.ParsePayload<z.output<Item>[]>) => void;
  /** Sorts the items before they are stored. Absent keeps their order. */
  sortItems?: (items: z.output<Item>[]) => z.output<Item>[];
}

/** A list that is always replaced as a whole; null or absent means empty. */
export function list<Item extends z.ZodType, Read extends z.ZodType, Stored extends 'text[]' | 'jsonb'>(
  item: ListItem<Item, Read, Stored>,
  { countMax, ...docs }: Docs & { countMax: number },
) {
  const { checkItems = () => undefined, sortItems = (items) => items } = item;
  const meta = { ...docs, maxItems: countMax };
  const input = z
    .array(item.input)
    .max(countMax)
    .check(checkItems)
    .nullable()
    .transform((items) => sortItems(items ?? []))
    .meta(meta);
  return {
    input,
    patch: input,
    output: z.array(item.output).meta(meta),
    required: false as const,
    storage: item.listStorage,
  };
}

export function item(lengthMax: number) {
  const { input, output } = requiredText(
    { lengthMax },
    { description: 'An item of the list', example: 'GRI' },
  );
  return { input, output, listStorage: 'text[]' as const };
}

/** A language tag (BCP 47), stored in its canonical form: `pt-br` becomes `pt-BR`. */
export function languageTag() {
  const issueOf = (value: string): TextIssue =>
    isLanguage(value)
      ? undefined
      : { code: 'invalid_format', detail: 'must be a BCP 47 language tag such as pt-BR' };
  const meta = { description: 'A BCP 47 language tag', example: 'pt-BR', maxLength: 35 };
  const input = checkedText({ lengthMax: 35, issueOf, canonical: languageCode })
    .check(required)
    .meta({ ...meta, pattern: forms.language });
  return { input, output: z.string().meta(meta), listStorage: 'text[]' as const };
}

export function searched<F extends ReadField>(field: F): F & { isSearched: true } {
  return { ...field, isSearched: true };
}

export type Fields = Record<string, ReadField | WrittenField>;

const namesByFields = new WeakMap<Fields, string[]>();

export function telephoneNames({ fields }: { fields: Fields }): string[] {
  let names = namesByFields.get(fields);
  if (names === undefined) {
    names = Object.keys(fields).filter((name) => fields[name]?.isTelephone);
    namesByFields.set(fields, names);
  }
  return names;
}
