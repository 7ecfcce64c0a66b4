import { choiceOf, exactText, trimmedText } from '@roster/fields/text';
import { z } from 'zod';
import { isLanguage, languageCode } from '../sameness/codes.ts';

/** The type of a column. A merge patch replaces `jsonb` and merges the pairs of `pairs`, a jsonb object. */
export type ColumnType = 'text' | 'text[]' | 'uuid' | 'int' | 'timestamptz' | 'jsonb' | 'pairs';

/** An object that is stored as one text column for each of its parts, and is null if all of them are. */
export interface PartColumns<Part extends string = string> {
  parts: readonly Part[];
  /** Those that the full-text search finds if the field is searched. */
  searchedParts?: readonly Part[];
  /** Whether the parts mean something together alone, so that none of them can come from another object. */
  isOneValue?: true;
}

/**
 * A field of a record that callers can read: the schema of its value in JSON, and how it is stored. The column has its
 * name in snake_case.
 */
export interface ReadField<Out extends z.ZodType = z.ZodType> {
  output: Out;
  storage: ColumnType | PartColumns;
  /** Whether its value is computed, so that no column has it. */
  isComputed?: boolean;
  /** Whether the full-text search `q` finds it; for an object, those of its `searchedParts`. */
  isSearched?: boolean;
  /** Whether it is a telephone number: new values are read, and stored in E.164. */
  isTelephone?: boolean;
}

/**
 * A field that callers can also write. It is described once; the schemas to create, to patch and to read a record, the
 * columns that are written and the record's JSON follow from it.
 */
export interface WrittenField<
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  Patch extends z.ZodType = In,
> extends ReadField<Out> {
  input: In;
  /** The value in a merge patch, if that differs from the input. */
  patch: Patch;
  required: boolean;
}

/** The text about a field in the document, the docs page and the CLI's help. */
export type Docs = {
  /** The meaning of the field; with its unit and its name in the RESO Data Dictionary where it has one. */
  description: string;
  example: unknown;
};

export type TextIssue = { code: string; detail: string } | undefined;

/** The code points of well-formed text; a copy of them would take forty times as long. */
function codePointsIn(text: string): number {
  let count = text.length;
  for (let place = 0; place < text.length; place += 1) {
    if ((text.charCodeAt(place) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}

/** The documentation of an id in answers. */
export function idDocs(description: string, example = '01980a40-7b1c-7a2d-8e3f-4a5b6c7d8e9f') {
  return { description, example, format: 'uuid' };
}

/** The id of a record in answers. */
export function answeredId(description: string, example = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11') {
  return z.string().meta(idDocs(description, example));
}

/** Unicode text in code points, without NUL (which PostgreSQL cannot hold) and without halves of characters. */
export function textIssue(value: string, lengthMax: number): TextIssue {
  if (value.includes('\0')) return { code: 'invalid_character', detail: 'must not contain NUL (U+0000)' };
  if (!value.isWellFormed()) return { code: 'invalid_character', detail: 'must be well-formed Unicode' };
  if (value.length <= lengthMax) return undefined;
  const length = codePointsIn(value);
  if (length <= lengthMax) return undefined;
  return { code: 'too_long', detail: `must be at most ${lengthMax} characters long, and is ${length}` };
}

/** Patterns of the document, for what its readers may send: text without NUL, and text of which something is left when it is trimmed. */
export const withoutNul = '^[^\\u0000]*$';
export const notBlank = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** Patterns of the document for texts of a form, which an error names in words; where a text may be null, an empty one is. */
export const forms = {
  timeZone: '^\\s*([A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*)?\\s*$',
  country: '^\\s*([A-Za-z]{2})?\\s*$',
  language: '^\\s*[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\\s*$',
  httpsUrl: '^\\s*[Hh][Tt][Tt][Pp][Ss]://[^\\s\\u0000]+\\s*$',
};

/** Whether PostgreSQL can hold a text: without NUL and without halves of characters. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A string in its normal form that must pass a test; the test gives the issue it finds. */
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

/** A check that an empty text fails. */
export const required = (ctx: z.core.ParsePayload<string>) => {
  if (ctx.value !== '') return;
  ctx.issues.push({ code: 'custom', input: '', message: 'must not be empty', params: { code: 'required' } });
};

export interface TextRules {
  lengthMax: number;
  /** The JSON Schema format, for the document. */
  format?: string;
  /** One of `forms`, for the document. */
  pattern?: string;
  issueOf?: (value: string) => TextIssue;
  /** The form of a code in which it is stored: that of any other text is the text. */
  canonical?: (text: string) => string;
  /** Whether invisible characters inside stay, for `issueOf` to reject. */
  isExact?: boolean;
}

/** A text that must be there and hold at least one character. */
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

/** A text or null; an empty one is null. */
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

/**
 * Reads an empty text as null, as every optional field of a record is read, whatever its form: a form or a file sends it
 * for what was not filled in.
 */
function emptyAsNull<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value: z.input<Schema>) => (typeof value === 'string' && trimmedText(value) === '' ? null : value),
    schema,
  );
}

/** A day of the calendar (`YYYY-MM-DD`) or null, as a part of an object; an empty text is null. */
export function date(docs: Docs) {
  return {
    input: emptyAsNull(z.iso.date().nullable()).meta(docs),
    output: z
      .string()
      .nullable()
      .meta({ ...docs, format: 'date' }),
  };
}

/** One of a few words in any letter case. */
export function choice<Schema extends z.ZodType>(
  schema: Schema,
  choices: readonly (z.input<Schema> & string)[],
) {
  return z.preprocess(
    (given: z.input<Schema>) => (typeof given === 'string' ? (choiceOf(given, choices) ?? given) : given),
    schema,
  );
}

/** One of a few words in any letter case, or null; an empty text is null. */
export function enumField<const Value extends string>(values: readonly [Value, ...Value[]], docs: Docs) {
  // Of a list, the declaration that is packed would have a type that no application can check.
  const entries = Object.fromEntries(values.map((value) => [value, value])) as { [Key in Value]: Key };
  const output = z.enum(entries).nullable().meta(docs);
  const input = emptyAsNull(choice(output, values)).meta(docs);
  return { input, patch: input, output, required: false as const, storage: 'text' as const };
}

/**
 * The id of another record, or null; an empty text is null. The example to write is null, because no other id is one of
 * every directory.
 */
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

/** A name of the IANA time zone database. */
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

/** The items of a list: the schemas of one, the way the list is stored, and a rule between them. */
interface ListItem<Item, Read, Stored> {
  input: Item;
  output: Read;
  listStorage: Stored;
  checkItems?: (ctx: z.core.ParsePayload<z.output<Item>[]>) => void;
  /** The items in the order in which they are kept, if that is not the one in which they are given. */
  sortItems?: (items: z.output<Item>[]) => z.output<Item>[];
}

/** A list that is replaced as a whole; null or absent means empty. Its items say how it is stored. */
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

/** A short text inside a list; it may not be empty. */
export function item(lengthMax: number) {
  const { input, output } = requiredText(
    { lengthMax },
    { description: 'An item of the list', example: 'GRI' },
  );
  return { input, output, listStorage: 'text[]' as const };
}

/** A language by its tag (BCP 47), kept in its canonical form: `pt-br` becomes `pt-BR`. */
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

/** A field that the full-text search `q` finds. */
export function searched<F extends ReadField>(field: F): F & { isSearched: true } {
  return { ...field, isSearched: true };
}

/** The fields of a record, in the order of its JSON. */
export type Fields = Record<string, ReadField | WrittenField>;

const namesByFields = new WeakMap<Fields, string[]>();

/** The names of the fields that are telephones. */
export function telephoneNames({ fields }: { fields: Fields }): string[] {
  let names = namesByFields.get(fields);
  if (names === undefined) {
    names = Object.keys(fields).filter((name) => fields[name]?.isTelephone);
    namesByFields.set(fields, names);
  }
  return names;
}
