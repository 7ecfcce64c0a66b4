import type { FileRow } from '@roster/import/files';
import { chooseNames } from '../access/scopes.ts';
import { definitionOf } from '../directory/registry.ts';
import { isStorable } from '../engine/fields/field.ts';
import { findDefaultCountry } from '../engine/write/telephone-countries.ts';
import { hasUncodedTelephone } from '../engine/write/telephones.ts';
import type { RecordContext } from '../records/procedure.ts';
import { importDefinitions } from './definitions.ts';
import { EncodingGuess, encodingOf, possibleEncodings } from './guess-encoding.ts';
import {
  type ImportPreview,
  type ImportPreviewQuery,
  importSchemas,
  PHONE_ROWS_MAX,
  PREVIEW_MAX_BYTES,
} from './schemas.ts';
import { findLastMapping } from './stored-import.ts';
import { findPhoneCountries } from './write-records.ts';
import { recordIdOf } from './write-rows.ts';

/** The beginning of a file, what was said of it, and how it is read. */
interface Beginning extends Pick<ImportPreviewQuery, 'mapping'> {
  text: Buffer;
  isCut: boolean;
  preview: Omit<ImportPreview, 'phones' | 'last' | 'encodingDoubt'>;
}

async function* bytesOf(text: Buffer) {
  yield text;
}

/** The first rows with phone numbers without a country code, as the columns of the preview read them. */
async function readUncoded({ text, isCut, mapping, preview }: Beginning): Promise<FileRow[]> {
  const { resource, columns, format, encoding, delimiter } = preview;
  const fields = Object.fromEntries(columns.map(({ name, field }) => [name, field ?? '']));
  // A mapping that was kept may name columns that this file does not have.
  const known = <Said>(said: Record<string, Said> = {}) =>
    Object.fromEntries(Object.entries(said).filter(([name]) => Object.hasOwn(fields, name)));
  const dates = Object.fromEntries(
    columns.flatMap((one) => (one.dates === null ? [] : [[one.name, one.dates]])),
  );
  const formats = await import('./file-format.ts');
  const settings = await formats.settingsOf(resource, text, {
    format,
    delimiter,
    encoding,
    ignoreUnknown: true,
    mapping: { columns: fields, values: known(mapping?.values), dates },
  });
  const from = { row: 1, line: 1 };
  const found: FileRow[] = [];
  for await (const row of formats.readRows(resource, bytesOf(text), { settings, from, isStorable })) {
    // The last row may be cut off if the file is longer.
    if (isCut && row.bytes >= text.length) break;
    if (hasUncodedTelephone(definitionOf(resource), row.record)) found.push(row);
    if (found.length === PHONE_ROWS_MAX) break;
  }
  return found;
}

/** Finds the countries of the phone numbers without a country code in the beginning of a file; null if there are none. */
async function previewPhones(ctx: RecordContext, beginning: Beginning): Promise<ImportPreview['phones']> {
  const { resource, problems } = beginning.preview;
  if (problems.length > 0) return null;
  const rows = await readUncoded(beginning);
  if (rows.length === 0) return null;
  // A licence tells no country, and one that lacks a column yet would make its record an error.
  const given = rows.map(({ record: { licenses: _, ...record } }) => record);
  const { records } = await importSchemas[resource].parseAsync({ records: given });
  const found = await findPhoneCountries(ctx, importDefinitions[resource], {
    records,
    rows: rows.map((row) => ({
      recordId: recordIdOf({ ...row, sameAs: null }),
      addsItems: row.list !== null,
    })),
  });
  const byCountry = Map.groupBy(
    found.filter((country) => country !== undefined),
    (country) => country,
  );
  const countries = [...byCountry].map(([country, some]) => ({ country, rows: some.length }));
  return { rows: rows.length, countries: countries.toSorted((one, other) => other.rows - one.rows) };
}

/**
 * Tells by the beginning of a file how it would be read, and what its columns are taken for. Keeps nothing of it.
 * Throws `validation_failed` if it has no header or the mapping names an unknown field, `insufficient_scope`.
 */
export async function previewFile(
  ctx: RecordContext,
  { beginning, resource, encoding: given, ...options }: ImportPreviewQuery,
): Promise<ImportPreview> {
  const resources = chooseNames(ctx.caller, resource && [resource], 'write').toSorted();
  const formats = await import('./file-format.ts');
  const bytes = Buffer.from(beginning, 'base64');
  formats.checkIsText(bytes);
  const isCut = bytes.length >= PREVIEW_MAX_BYTES;
  const named = given === undefined ? formats.findEncoding(bytes) : encodingOf(given);
  const guess = new EncodingGuess({ isNamed: false });
  if (named === undefined) guess.add(bytes, !isCut);
  const encoding = named ?? guess.encoding;
  const { doubt: reason } = guess;
  // Bytes that a given encoding does not have are shown as the sign for what cannot be read.
  const text = Buffer.from(new TextDecoder(encoding).decode(bytes, { stream: true }));
  const country = ctx.settings.defaultCountry ?? (await findDefaultCountry(ctx.db)) ?? undefined;
  const found = await formats.previewOf(resources, text, { ...options, isCut, country });
  const preview = { ...found, delimiter: found.delimiter as ImportPreview['delimiter'], encoding };
  const { mapping } = options;
  const columnsKey = formats.columnsKeyOf({
    format: found.format,
    headers: found.columns.map(({ name }) => name),
  });
  return {
    ...preview,
    encodingDoubt:
      named !== undefined || reason === undefined ? null : { reason, choices: possibleEncodings(bytes) },
    last: columnsKey === null ? null : await findLastMapping(ctx, { columnsKey, resources }),
    phones: await previewPhones(ctx, { text, isCut, mapping, preview }),
  };
}
