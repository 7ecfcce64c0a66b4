import {
  BrokenRow,
  fittingRows,
  type Importable,
  levelsOf,
  type ReadRow,
  ROWS_PER_BATCH_MAX,
  type RowError,
  recordOf,
  rowIdentityOf,
} from '@roster/import';
import { importables } from '../importables.ts';
import { fileColumns } from '../mapping.ts';
import type { FaultyRow, ImportDocument, JournalBatch, JournalRow } from '../types.ts';
import { readRows, type TextRow } from './read-rows.ts';

/** Rows that an import of the page takes; the command line takes any number. */
const ROWS_MAX = 200_000;

/** Batches of the next level begin at the next multiple. */
const BATCHES_PER_LEVEL = 1_000_000;

/** Where the rows of a file go, and who hears how far it is. */
export interface Journal {
  add(rows: { batch?: JournalBatch; faulty?: readonly FaultyRow[] }): Promise<void>;
  progress(rows: number): void;
}

/** What the whole file is. */
export interface Prepared {
  rows: number;
  rejected: number;
  batches: number[];
  headers: [field: string, header: string][];
}

type Described = Pick<ImportDocument, 'id' | 'resource' | 'inspection' | 'mapping'>;

const states = new Set(['active', 'inactive']);

/** A row as a record, with the errors that it has by itself. */
function parse(text: TextRow, read: ReadRow, importable: Importable, { mapping }: Described) {
  const sourceName = mapping.sourceName.trim();
  const record = recordOf(read, importable, { sourceName: sourceName === '' ? undefined : sourceName });
  const errorAt = (field: string, code: string, message: string): RowError => {
    const column = Object.keys(mapping.fields).find((header) => mapping.fields[header]?.startsWith(field));
    return { row: text.row, line: text.line, column: column ?? '', code, message };
  };
  const { status } = record;
  const errors = [
    ...read.rowErrors,
    ...record.rowErrors.map(({ field, code, message }) => errorAt(field, code, message)),
  ];
  if (status !== undefined && status !== null && !states.has(String(status)))
    errors.push(errorAt('status', 'invalid_choice', 'must be one of active, inactive'));
  return { ...rowIdentityOf(record, importable), record: record.record, errors, errorAt };
}

type Parsed = ReturnType<typeof parse>;

/** What is compared between rows. Some hundred bytes for each row that has a key or a main office. */
class Comparison {
  readonly #first = {
    source: new Map<string, number>(),
    id: new Map<string, number>(),
    email: new Map<string, number>(),
  };
  readonly #mains = new Map<number, string>();

  /** Adds a row; the errors are values that an earlier row has. */
  add(row: number, parsed: Parsed): RowError[] {
    const repeated = (['source', 'id', 'email'] as const).flatMap((name) => {
      const value = parsed[name];
      if (value === null) return [];
      const first = this.#first[name].get(value);
      if (first !== undefined)
        return [
          parsed.errorAt(name === 'source' ? 'source.key' : name, 'repeated', `is also that of row ${first}`),
        ];
      this.#first[name].set(value, row);
      return [];
    });
    if (parsed.main !== null) this.#mains.set(row, parsed.main);
    return repeated;
  }

  /** The row of the main office of each branch, if that is in the file too. */
  mainRows(): Map<number, number> {
    const rows = new Map<number, number>();
    for (const [row, source] of this.#mains) {
      const main = this.#first.source.get(source);
      if (main !== undefined) rows.set(row, main);
    }
    return rows;
  }
}

/** Batches of each level that are not full yet. */
class Batches {
  readonly numbers: number[] = [];
  readonly #open = new Map<number, (JournalRow & { text: string })[]>();
  readonly #counts = new Map<number, number>();
  readonly #importId: string;
  readonly #journal: Journal;

  constructor(importId: string, journal: Journal) {
    this.#importId = importId;
    this.#journal = journal;
  }

  async add(level: number, row: JournalRow): Promise<void> {
    const rows = this.#open.get(level) ?? [];
    this.#open.set(level, rows);
    rows.push({ ...row, text: JSON.stringify(row.record) });
    if (rows.length === ROWS_PER_BATCH_MAX) await this.#write(level);
  }

  async end(): Promise<number[]> {
    for (const level of this.#open.keys()) {
      while ((this.#open.get(level)?.length ?? 0) > 0) await this.#write(level);
    }
    return this.numbers.sort((one, other) => one - other);
  }

  /** Writes as many of the open rows of a level as fit into one call. */
  async #write(level: number): Promise<void> {
    const rows = this.#open.get(level) ?? [];
    const { length } = fittingRows(rows.map(({ text }) => ({ record: text })));
    const sent = rows.splice(0, length).map(({ text: _, ...row }): JournalRow => row);
    const count = this.#counts.get(level) ?? 0;
    this.#counts.set(level, count + 1);
    const number = level * BATCHES_PER_LEVEL + count;
    this.numbers.push(number);
    await this.#journal.add({ batch: { importId: this.#importId, number, level, rows: sent } });
  }
}

/** Reads all rows, each parsed. A row after which nothing can be read is the last, with its error. */
async function* parsedRows(file: Blob, described: Described, importable: Importable) {
  const { resource, inspection, mapping } = described;
  const { headers, rows } = await readRows(file, inspection, resource);
  const columns = fileColumns(resource, headers, mapping);
  try {
    for await (const text of rows) {
      yield { text, parsed: parse(text, text.read(columns, mapping), importable, described) };
    }
  } catch (error) {
    if (!(error instanceof BrokenRow)) throw error;
    const { row, line } = error.rowError;
    const text: TextRow = {
      row,
      line,
      cells: [],
      read: () => ({ row, line, values: [], key: undefined, rowErrors: [error.rowError], share: 1 }),
    };
    yield { text, parsed: parse(text, text.read(columns, mapping), importable, described) };
  }
}

/**
 * Reads a file twice: to compare its rows with each other, then into batches and faulty rows. Main offices are in batches before
 * those of their branches. Throws if it has too many rows, or cannot be read at all.
 */
export async function prepare(file: Blob, described: Described, journal: Journal): Promise<Prepared> {
  const { id, resource, inspection, mapping } = described;
  const importable = importables[resource];
  const comparison = new Comparison();
  const repeated = new Map<number, RowError[]>();
  let rows = 0;
  for await (const { text, parsed } of parsedRows(file, described, importable)) {
    rows += 1;
    if (rows > ROWS_MAX)
      throw new Error(
        `The file has more than ${ROWS_MAX} rows. The command roster imports files of any size.`,
      );
    const errors = comparison.add(text.row, parsed);
    if (errors.length > 0) repeated.set(text.row, errors);
    if (rows % ROWS_PER_BATCH_MAX === 0) journal.progress(rows / 2);
  }
  const mainRows = comparison.mainRows();
  const { levels, cyclic } = levelsOf(mainRows);
  const batches = new Batches(id, journal);
  let faulty: FaultyRow[] = [];
  let [done, rejected] = [0, 0];
  for await (const { text, parsed } of parsedRows(file, described, importable)) {
    const { row, line, cells } = text;
    const { source, id: recordId, status, record } = parsed;
    const errors = [...parsed.errors, ...(repeated.get(row) ?? [])];
    if (cyclic.has(row))
      errors.push(parsed.errorAt(importable.officeSource, 'cycle', 'is a branch of itself'));
    if (errors.length === 0) {
      const main_row = mainRows.get(row) ?? null;
      await batches.add(levels.get(row) ?? 0, {
        row,
        line,
        source,
        id: recordId,
        status,
        main_row,
        record,
        cells,
      });
    } else {
      rejected += 1;
      faulty.push({
        importId: id,
        row,
        line,
        cells,
        errors: errors.map(({ column, code, message }) => ({ column, code, message })),
      });
    }
    done += 1;
    if (faulty.length === ROWS_PER_BATCH_MAX) {
      await journal.add({ faulty });
      faulty = [];
    }
    if (done % ROWS_PER_BATCH_MAX === 0) journal.progress(rows / 2 + done / 2);
  }
  await journal.add({ faulty });
  const headers = inspection.headers.flatMap((header): [string, string][] => {
    const field = mapping.fields[header] ?? '';
    return field === '' ? [] : [[field, header]];
  });
  return { rows, rejected, batches: await batches.end(), headers };
}
