import type { FileRow } from '@roster/import/files';
import { definitionOf } from '../../../directory.ts';
import { isStorable } from '../../../engine/fields/field.ts';
import { hasUncodedTelephone } from '../../../engine/write/telephones.ts';
import type { RecordContext } from '../../../records/settings.ts';
import { takeLicense } from '../../one-license.ts';
import { importDefinitions } from '../../resources.ts';
import { importSchemas } from '../../schemas.ts';
import { findPhoneCountries } from '../../service.ts';
import { recordIdOf } from '../batch-rows.ts';
import { type ImportPreview, type ImportPreviewQuery, PHONE_ROWS_MAX } from './schemas.ts';

/** The beginning of a file, what was said of it, and how it is read. */
interface Beginning extends Pick<ImportPreviewQuery, 'mapping'> {
  text: Buffer;
  isCut: boolean;
  preview: Omit<ImportPreview, 'phones'>;
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
  const formats = await import('../formats.ts');
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
export async function previewPhones(
  ctx: RecordContext,
  beginning: Beginning,
): Promise<ImportPreview['phones']> {
  const { resource, problems } = beginning.preview;
  if (problems.length > 0) return null;
  const rows = await readUncoded(beginning);
  if (rows.length === 0) return null;
  const given = rows.map(({ record }) => record);
  for (const record of given) takeLicense(record);
  const { records } = await importSchemas[resource].parseAsync({ records: given });
  const found = await findPhoneCountries(ctx, importDefinitions[resource], {
    records,
    rows: rows.map((row) => ({ recordId: recordIdOf(row), addsItems: row.list !== null })),
  });
  const byCountry = Map.groupBy(
    found.filter((country) => country !== undefined),
    (country) => country,
  );
  const countries = [...byCountry].map(([country, some]) => ({ country, rows: some.length }));
  return { rows: rows.length, countries: countries.toSorted((one, other) => other.rows - one.rows) };
}
