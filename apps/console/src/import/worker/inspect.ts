import { delimiterOf } from '@roster/import';
import { choicesOf, columnOfField, isDate } from '../importables.ts';
import type { ImportDocument, Inspection, ReadOptions, SurveyedColumn } from '../types.ts';
import { detectEncoding, detectFormat } from './detect.ts';
import { readRows } from './read-rows.ts';

const HEAD_BYTES = 64 * 1024;
const PREVIEWED_ROWS = 20;

/** The beginning of a file, read with the given options; those that are not given are found out. */
export async function inspect(
  file: Blob,
  fileName: string,
  given: Partial<ReadOptions>,
): Promise<Inspection> {
  const encoding = given.encoding ?? (await detectEncoding(file));
  const head = new TextDecoder(encoding).decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const format = given.format ?? detectFormat(fileName, head);
  const options = { format, encoding, delimiter: given.delimiter ?? delimiterOf(head) };
  const rows: string[][] = [];
  try {
    const read = await readRows(file, options, 'agents');
    for await (const { cells } of read.rows) {
      rows.push(cells);
      if (rows.length === PREVIEWED_ROWS) break;
    }
    return { ...options, headers: read.headers, rows };
  } catch (error) {
    return { ...options, headers: [], rows, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Distinct values of a column that are reviewed. */
const VALUES_MAX = 100;

/** The values of the columns that have choices or days, over all rows of a file. */
export async function survey(
  file: Blob,
  { resource, inspection, mapping }: Pick<ImportDocument, 'resource' | 'inspection' | 'mapping'>,
): Promise<SurveyedColumn[]> {
  const found = inspection.headers.flatMap((header, index) => {
    const field = columnOfField(resource, mapping.fields[header] ?? '')?.field ?? '';
    const kind = choicesOf(resource, field) !== undefined ? 'choice' : isDate(field) ? 'date' : undefined;
    return kind === undefined
      ? []
      : [{ header, field, kind, index, counts: new Map<string, number>() } as const];
  });
  if (found.length === 0) return [];
  try {
    const { rows } = await readRows(file, inspection, resource);
    for await (const { cells } of rows) {
      for (const { index, counts } of found) {
        const value = cells[index]?.trim() ?? '';
        if (value === '') continue;
        if (counts.has(value) || counts.size <= VALUES_MAX) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
  } catch {
    // What cannot be read is an error of its row in the check.
  }
  return found.map(({ header, field, kind, counts }) => ({
    header,
    field,
    kind,
    values: [...counts].toSorted(([, one], [, other]) => other - one).slice(0, VALUES_MAX),
    isCut: counts.size > VALUES_MAX,
  }));
}
