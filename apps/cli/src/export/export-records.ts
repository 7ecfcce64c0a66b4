import { extname } from 'node:path';
import { type Column, columnsOf, formatCell, type Importable, type ImportClient } from '@roster/import';
import { stringify } from 'csv-stringify/sync';
import { type Row, valueAt } from '../columns.ts';
import type { Format } from '../import/input-file.ts';
import type { Input } from '../options/fields.ts';
import { createPrivateFile } from '../output/private-file.ts';
import { jsonLine } from '../output/serializers.ts';
import type { IoStreams } from '../terminal/io-streams.ts';
import { officeSources } from './office-sources.ts';

export interface ExportJob {
  importable: Importable;
  client: ImportClient;
  /** The filters. */
  query: Input;
  /** The output file; stdout for `-` or if undefined. */
  file: string | undefined;
  cwd: string;
  io: IoStreams;
  format: Format | undefined;
}

/** Records per page: the maximum of the service. */
const LIMIT = 200;

/** The columns of an export: each field once, objects by their parts, and an office only by its source. */
function exportColumns(importable: Importable): Column[] {
  const columns = columnsOf(importable);
  const isWhole = ({ field }: Column) => !columns.some((other) => other.field.startsWith(`${field}.`));
  return columns.filter((column) => {
    const { field } = column;
    return (
      isWhole(column) && !field.includes('[') && field !== importable.officeName && !field.endsWith('Plus4')
    );
  });
}

const extensions: Readonly<Record<string, Format>> = { '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

/** A record without the fields that import does not read. */
function exported(row: Row, columns: readonly Column[]): Row {
  const names = new Set(columns.map(({ path: [name = ''] }) => name));
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

/** The pages of matching records, each agent or branch with the source of its office. */
async function* pagesOf({ importable, client, query, io }: ExportJob): AsyncGenerator<Row[]> {
  const { name, officeId, officeSource } = importable;
  const sourcesOf = officeSources(client, (text) => void io.stderr.write(text));
  let cursor: string | undefined;
  do {
    const page = await client.list(name, {
      limit: LIMIT,
      sort: 'createdAt',
      ...query,
      ...(cursor && { cursor }),
    });
    // A file has what matches, and not what is like it.
    if (page.isSimilar) return;
    const ids = page.items.flatMap((row) => (typeof row[officeId] === 'string' ? [row[officeId]] : []));
    const sources = await sourcesOf(ids);
    yield page.items.map((row) => ({ ...row, [officeSource]: sources.get(String(row[officeId])) ?? null }));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Writes all matching records, page by page. Resolves to their number. */
export async function exportRecords(job: ExportJob): Promise<number> {
  const { importable, file, cwd, io, format } = job;
  const kind = format ?? extensions[extname(file ?? '').toLowerCase()] ?? 'csv';
  const columns = exportColumns(importable);
  const { write, end } =
    file === undefined || file === '-'
      ? { write: async (text: string) => void io.stdout.write(text), end: async () => undefined }
      : await createPrivateFile(file, cwd);
  const cellsOf = (row: Row) => columns.map((column) => formatCell(valueAt(row, column.field), column));
  await write(kind === 'csv' ? stringify([columns.map(({ field }) => field)]) : '');
  let count = 0;
  for await (const rows of pagesOf(job)) {
    count += rows.length;
    if (rows.length === 0) continue;
    const lines = rows.map((row) => jsonLine(exported(row, columns)));
    await write(kind === 'csv' ? stringify(rows.map(cellsOf)) : lines.join(''));
  }
  await end();
  return count;
}
