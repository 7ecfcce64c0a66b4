import { extname } from 'node:path';
import type { ResourceName, RosterClient } from '@roster/client';
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
import { hasErrorCode, usageError } from '../../errors.ts';
import { type ReadList, recordsById } from '../../service/lists.ts';
import type { IoStreams } from '../../ui/io-streams.ts';
import { BYTE_ORDER_MARK, writePrivateFile } from '../../ui/private-file.ts';
import { jsonLine } from '../../ui/serializers.ts';
import type { Format as ImportFormat } from './import/input-file.ts';

/** A workbook is for people, the others for programs. */
type Format = ImportFormat | 'xlsx';

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
  client: RosterClient;
  signal: AbortSignal;
}

/** Records per page: the maximum of the service. */
const LIMIT = 200;

/** The columns of an export, in which an office is named only by its source. */
function exportColumns({ importable, byItem }: ExportJob): Column[] {
  return exportedColumns(importable, { byItem }).filter(({ field }) => field !== importable.office?.name);
}

const extensions: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.xlsx': 'xlsx',
};

/** A record without the fields that import does not read. */
function exported(row: Row, columns: readonly Column[]): Row {
  const names = new Set(columns.map(({ path: [name = ''] }) => name));
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));
}

async function* pagesOf(
  { importable: { name }, readList, query }: ExportJob,
  more: Input = {},
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  do {
    const given = { limit: LIMIT, sort: 'createdAt', ...query, ...more };
    const page = await readList(name, { ...given, ...(cursor && { cursor }) });
    // An export contains exact matches only.
    if (page.isSimilar) return;
    yield page.items;
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
  const kind = job.format ?? extensions[extname(job.file ?? '').toLowerCase()] ?? 'csv';
  return kind === 'xlsx' ? exportWorkbook(job) : exportForPrograms(job, kind);
}

async function exportWorkbook(job: ExportJob): Promise<number> {
  const { importable, file, cwd, isForced, byItem } = job;
  if (byItem) throw usageError('--rows does not apply to a workbook');
  if (file === undefined || file === '-') throw usageError('a workbook needs a file, such as list.xlsx');
  const { workbookPieces } = await import('./export-workbook.ts');
  let count = 0;
  async function* counted([expand, ...others]: string[]) {
    // A list of one is no value where there is one expansion alone.
    const more = others.length > 0 ? { expand: [expand, ...others] } : { ...(expand && { expand }) };
    for await (const rows of pagesOf(job, more)) {
      count += rows.length;
      yield rows;
    }
  }
  await writePrivateFile(file, cwd, { replaces: isForced }, async (write) => {
    for await (const piece of workbookPieces(importable.name, counted, job)) await write(piece);
  });
  return count;
}

function exportForPrograms(job: ExportJob, kind: ImportFormat): Promise<number> {
  const { file, cwd, io, isForced } = job;
  if (file === undefined || file === '-')
    return writeForPrograms(job, kind, async (text) => void io.stdout.write(text));
  return writePrivateFile(file, cwd, { replaces: isForced }, async (write) => {
    if (kind === 'csv') await write(BYTE_ORDER_MARK);
    return writeForPrograms(job, kind, write);
  });
}

async function writeForPrograms(
  job: ExportJob,
  kind: ImportFormat,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const { importable, readList, io, byItem } = job;
  const { office, itemRows } = importable;
  const columns = exportColumns(job);
  const cellsOf = (row: Row) => columns.map((column) => formatCell(valueAt(row, column.field), column));
  if (kind === 'csv') await write(stringify([columns.map(({ field }) => field)]));
  const sourcesOf = officeSources(readList, (text) => void io.stderr.write(text));
  let count = 0;
  for await (const page of pagesOf(job, byItem && itemRows ? { expand: itemRows.field } : {})) {
    count += page.length;
    if (page.length === 0) continue;
    const rows = office === undefined ? page : await withOfficeSources(page, office, sourcesOf);
    const written = byItem ? rows.flatMap((row) => itemRecords(importable, row)) : rows;
    const lines = written.map((row) => jsonLine(exported(row, columns)));
    await write(kind === 'csv' ? stringify(written.map(cellsOf)) : lines.join(''));
  }
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
