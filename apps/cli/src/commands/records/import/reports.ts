import { allRecords, type ImportError, type RosterClient } from '@roster/client';
import { escapeFormula } from '@roster/import';
import { stringify } from 'csv-stringify/sync';
import { BYTE_ORDER_MARK, writePrivateFile } from '../../../ui/private-file.ts';

/** Records per page: the maximum of the service. */
const LIMIT = 200;

type Imports = RosterClient['imports'];

type Row = Awaited<ReturnType<Imports['rows']['query']>>['items'][number];

export function errorsOf(imports: Imports, id: string, signal: AbortSignal): AsyncGenerator<ImportError> {
  return allRecords((cursor, own) => imports.errors.query({ id, limit: LIMIT, cursor }, { signal: own }), {
    signal,
  });
}

export function rowsOf(imports: Imports, id: string, signal: AbortSignal): AsyncGenerator<Row> {
  return allRecords((cursor, own) => imports.rows.query({ id, limit: LIMIT, cursor }, { signal: own }), {
    signal,
  });
}

export async function writeErrorFile(
  errors: AsyncIterable<ImportError>,
  file: string,
  cwd: string,
): Promise<void> {
  await writePrivateFile(file, cwd, { option: '--errors ' }, async (write) => {
    await write(BYTE_ORDER_MARK + stringify([['row', 'line', 'column', 'code', 'reason']]));
    for await (const { row, line, column, code, detail } of errors)
      await write(stringify([[String(row), String(line), column, code, detail].map(escapeFormula)]));
  });
}

export async function writeMatchFile(rows: AsyncIterable<Row>, file: string, cwd: string): Promise<void> {
  await writePrivateFile(file, cwd, { option: '--matches ' }, async (write) => {
    await write(BYTE_ORDER_MARK + stringify([['row', 'line', 'status', 'matchedBy', 'id']]));
    for await (const { row, line, outcome, matchedBy, recordId } of rows)
      await write(stringify([[row, line, outcome ?? '', matchedBy ?? '', recordId ?? '']]));
  });
}

export function errorLines(errors: readonly ImportError[]): string {
  return errors
    .map(({ row, line, column, detail }) => {
      const where = row === line ? `row ${row}` : `row ${row} (line ${line})`;
      return `  ${where}: ${[column, detail].filter(Boolean).join(' ')}\n`;
    })
    .join('');
}
