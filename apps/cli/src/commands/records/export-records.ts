import { extname } from 'node:path';
import type { ResourceName } from '@roster/client';
import {
  type Column,
  exportedColumns,
  formatCell,
  type Importable,
  itemRecords,
  type OfficeFields,
} from '@roster/import';
import { stringify } from 'csv-stringify/sync';
import { type Row, valueAt } from '../../contract/columns.ts';
import type { Input } from '../../contract/options.ts';
import { hasErrorCode } from '../../errors.ts';
import { type ReadList, recordsById } from '../../service/lists.ts';
import type { IoStreams } from '../../ui/io-streams.ts';
import { BYTE_ORDER_MARK, createPrivateFile } from '../../ui/private-file.ts';
import { jsonLine } from '../../ui/serializers.ts';
import type { Format } from './import/input-file.ts';

export interface ExportJob {
  importable: Importable<ResourceName>;
  readList: ReadList;
  query: Input;
  /** The output file; stdout for `-` or if undefined. */
  file: string | undefined;
  cwd: string;
  io: IoStreams;
  format: Format | undefined;
  /** Whether an existing file is replaced. */
  isForced: boolean;
  /** Whether there is a row for each item of a list of the resource. */
  byItem: boolean;
}

/** Records per page: the maximum of the service. */
const LIMIT = 200;

/** The columns of an export, in which an office is named only by its source. */
function exportColumns({ importable, byItem }: ExportJob): Column[] {
  return exportedColumns(importable, { byItem }).filter(({ field }) => field !== importable.office?.name);
}

const extensions: Readonly<Record<string, Format>> = { '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

/** A record without the fields that import does not read. */
function exported(row: Row, columns: readonly Column[]): Row {
  const names = new Set(columns.map(({ path: [name = ''] }) => name));
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

async function* pagesOf({ importable, readList, query, io, byItem }: ExportJob): AsyncGenerator<Row[]> {
  const { name, office } = importable;
  const sourcesOf = officeSources(readList, (text) => void io.stderr.write(text));
  let cursor: string | undefined;
  do {
    const page = await readList(name, {
      limit: LIMIT,
      sort: 'createdAt',
      ...query,
      ...(byItem && importable.itemRows && { expand: importable.itemRows.field }),
      ...(cursor && { cursor }),
    });
    // An export contains exact matches only.
    if (page.isSimilar) return;
    yield office === undefined ? [...page.items] : await withOfficeSources(page.items, office, sourcesOf);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Records with the sources of the offices that they belong to. */
async function withOfficeSources(
  rows: readonly Row[],
  { id, source }: OfficeFields,
  sourcesOf: OfficeSources,
): Promise<Row[]> {
  const ids = rows.flatMap((row) => (typeof row[id] === 'string' ? [row[id]] : []));
  const sources = await sourcesOf(ids);
  return rows.map((row) => ({ ...row, [source]: sources.get(String(row[id])) ?? null }));
}

/** Writes all matching records, page by page. Resolves to their number. */
export async function exportRecords(job: ExportJob): Promise<number> {
  const { importable, file, cwd, io, format, byItem, isForced } = job;
  const kind = format ?? extensions[extname(file ?? '').toLowerCase()] ?? 'csv';
  const columns = exportColumns(job);
  const isOutput = file === undefined || file === '-';
  const { write, end } = isOutput
    ? { write: async (text: string) => void io.stdout.write(text), end: async () => undefined }
    : await createPrivateFile(file, cwd, { replaces: isForced });
  const cellsOf = (row: Row) => columns.map((column) => formatCell(valueAt(row, column.field), column));
  const header = stringify([columns.map(({ field }) => field)]);
  if (kind === 'csv') await write(isOutput ? header : `${BYTE_ORDER_MARK}${header}`);
  let count = 0;
  for await (const rows of pagesOf(job)) {
    count += rows.length;
    if (rows.length === 0) continue;
    const written = byItem ? rows.flatMap((row) => itemRecords(importable, row)) : rows;
    const lines = written.map((row) => jsonLine(exported(row, columns)));
    await write(kind === 'csv' ? stringify(written.map(cellsOf)) : lines.join(''));
  }
  await end();
  return count;
}

/** Offices in the cache; consecutive pages mostly refer to the same ones. */
const CACHED_MAX = 10_000;

type OfficeSources = (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

/** Looks up the sources of offices by ID, with a cache. Without the scope for offices, finds none and calls `note` once. */
function officeSources(readList: ReadList, note: (text: string) => void): OfficeSources {
  let known = new Map<string, unknown>();
  let isForbidden = false;
  const find = async (ids: readonly string[]): Promise<Map<string, Row>> => {
    try {
      return await recordsById(readList, 'offices', ids);
    } catch (error) {
      if (!hasErrorCode(error, 'insufficient_scope')) throw error;
      isForbidden = true;
      note("Your key can't read offices, so they are exported by ID only.\n");
      return new Map();
    }
  };
  return async (ids) => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0 || isForbidden) return known;
    if (known.size > CACHED_MAX) known = new Map();
    const wanted = known.size === 0 ? ids : missing;
    for (const [id, { source }] of await find(wanted)) known.set(id, source);
    return known;
  };
}
