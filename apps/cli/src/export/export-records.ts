import { extname } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Io } from '../context/io-streams.ts';
import type { Importable } from '../import/importable.ts';
import { cellOf } from '../import/read/cell-values.ts';
import { type Column, columnsOf } from '../import/read/columns.ts';
import type { Format } from '../import/read/input-file.ts';
import type { Service } from '../import/send/import-client.ts';
import type { Input } from '../input/fields.ts';
import { createOwnFile } from '../output/private-file.ts';
import { jsonLine } from '../output/serializers.ts';
import { type Row, valueAt } from '../resources.ts';
import { officeSources } from './office-sources.ts';

export interface Export {
  importable: Importable;
  service: Service;
  /** The filters. */
  query: Input;
  /** Where to; stdout for `-` and unless given. */
  file: string | undefined;
  cwd: string;
  io: Io;
  format: Format | undefined;
}

/** Records in one page, as many as the service gives. */
const LIMIT = 200;

/** The columns of an export: each field once, in its parts, and no other name of an office than where it came from. */
function exportColumns(importable: Importable): Column[] {
  const columns = columnsOf(importable);
  const isWhole = ({ place }: Column) => !columns.some((other) => other.place.startsWith(`${place}.`));
  return columns.filter((column) => {
    const { place } = column;
    return (
      isWhole(column) && !place.includes('[') && place !== importable.officeName && !place.endsWith('Plus4')
    );
  });
}

const extensions: Readonly<Record<string, Format>> = { '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

/** A record with what import reads of it: no place that only the service sets. */
function exported(row: Row, columns: readonly Column[]): Row {
  const names = new Set(columns.map(({ path: [name = ''] }) => name));
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

/** The pages of what matches, each agent or branch with the source of its office. */
async function* pagesOf({ importable, service, query, io }: Export): AsyncGenerator<Row[]> {
  const { name, officeId, officeSource } = importable;
  const sourcesOf = officeSources(service, (text) => void io.stderr.write(text));
  let cursor: string | undefined;
  do {
    const page = await service.list(name, {
      limit: LIMIT,
      sort: 'createdAt',
      ...query,
      ...(cursor && { cursor }),
    });
    const ids = page.items.flatMap((row) => (typeof row[officeId] === 'string' ? [row[officeId]] : []));
    const sources = await sourcesOf(ids);
    yield page.items.map((row) => ({ ...row, [officeSource]: sources.get(String(row[officeId])) ?? null }));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Writes everything that matches, page by page. Answers how many records there were. */
export async function exportRecords(made: Export): Promise<number> {
  const { importable, file, cwd, io, format } = made;
  const kind = format ?? extensions[extname(file ?? '').toLowerCase()] ?? 'csv';
  const columns = exportColumns(importable);
  const { write, end } =
    file === undefined || file === '-'
      ? { write: async (text: string) => void io.stdout.write(text), end: async () => undefined }
      : await createOwnFile(file, cwd);
  const cellsOf = (row: Row) => columns.map((column) => cellOf(valueAt(row, column.place), column));
  await write(kind === 'csv' ? stringify([columns.map(({ place }) => place)]) : '');
  let count = 0;
  for await (const rows of pagesOf(made)) {
    count += rows.length;
    if (rows.length === 0) continue;
    const lines = rows.map((row) => jsonLine(exported(row, columns)));
    await write(kind === 'csv' ? stringify(rows.map(cellsOf)) : lines.join(''));
  }
  await end();
  return count;
}
