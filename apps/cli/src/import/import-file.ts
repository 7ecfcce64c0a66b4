import { existsSync } from 'node:fs';
import {
  type Batch,
  type Counts,
  eachBatch,
  type Headers,
  type Importable,
  type ImportClient,
  noCounts,
  type RowResult,
  type Rows,
  type SendOptions,
  sendBatch,
} from '@roster/import';
import type { Environment } from '../context/environment.ts';
import type { IoStreams } from '../context/io-streams.ts';
import { CliError, usageError } from '../errors/errors.ts';
import { checkAcrossRows } from './check/cross-row-checks.ts';
import { rowErrorLines, writeErrorFile, writeMatchFile } from './check/error-report.ts';
import { validateRows } from './check/validate-rows.ts';
import { Journal } from './journal.ts';
import { journalFile } from './journal-files.ts';
import type { Progress } from './progress.ts';
import { readCsv } from './read/csv-rows.ts';
import { columnReader, columnsOfHeader, type HeaderRules } from './read/header.ts';
import type { InputFile } from './read/input-file.ts';
import { readNdjson } from './read/ndjson-rows.ts';
import { batchesOf } from './send/batches.ts';

/** The options for reading the file. An import can be resumed only with the same ones. */
interface ReadOptions extends HeaderRules {
  encoding: string;
  /** The source of rows that name none. */
  sourceName: string | undefined;
}

/** An import and its dependencies. */
export interface ImportJob {
  importable: Importable;
  input: InputFile;
  readOptions: ReadOptions;
  url: string;
  /** The prefix of the idempotency keys of the batches; a resumed import keeps it. */
  run: string;
  client: ImportClient;
  io: IoStreams;
  env: Environment;
  cwd: string;
  signal: AbortSignal;
  progress: Progress;
  /** The value of `--errors`. */
  errorsFile: string | undefined;
  /** The value of `--matches`. */
  matchesFile: string | undefined;
  /** Whether a record that its e-mail address alone led to may get another name. */
  acceptRenames: boolean;
  isDryRun: boolean;
  isResumed: boolean;
  /** The command that resumes the import. */
  resumeCommand: string;
}

/** The metadata of an import that has started to write. */
interface Metadata {
  hash: string;
  readOptions: string;
  run: string;
  headers: [field: string, header: string][];
}

/** The results of all rows, counted. */
export type Summary = { rows: number } & Counts;

const countNames = Object.keys(noCounts) as (keyof Counts)[];

const IN_FLIGHT_MAX = 3;
const ERRORS_SHOWN = 20;

const number = (value: number) => value.toLocaleString('en');

async function rowsOf({ input, importable, readOptions }: ImportJob): Promise<Rows> {
  const { encoding } = readOptions;
  if (input.format === 'csv') {
    const columnsOf = (headers: string[]) => columnsOfHeader(headers, importable, readOptions);
    return readCsv(input, { encoding, columnsOf });
  }
  return readNdjson(input, { encoding, columnOf: columnReader(importable, readOptions) });
}

/** Writes all errors to the error file, if one is given, and throws an error that lists the first ones. */
async function rejectRows(journal: Journal, { errorsFile, cwd }: ImportJob, what: string): Promise<never> {
  const { rows, rejected } = journal.counts();
  if (errorsFile !== undefined) await writeErrorFile(journal.rowErrors(), errorsFile, cwd);
  const lines = rowErrorLines(journal.rowErrors(), ERRORS_SHOWN);
  const more =
    (journal.get('select count(*) as count from row_error') as { count: number }).count - ERRORS_SHOWN;
  const rest = more > 0 ? `  and ${number(more)} more\n` : '';
  const all =
    errorsFile === undefined ? 'All errors as CSV: --errors <file>' : `All errors are in ${errorsFile}.`;
  throw new CliError(`${number(rejected)} of ${number(rows)} rows were rejected, ${what}`, {
    hint: `${lines}${rest}${all}`,
  });
}

/** Sends the batches that have not been sent yet, and writes their results to the journal. */
async function sendAll(
  { journal, ...sending }: SendOptions & { journal: Journal },
  { progress }: ImportJob,
  done: (batch: Batch, counts: Counts, results: readonly RowResult[]) => void,
) {
  const { total } = journal.get('select count(*) as total from row where record is not null') as {
    total: number;
  };
  const sent = journal.all('select number, rows from batch') as { number: number; rows: number }[];
  const numbers = new Set(sent.map(({ number }) => number));
  let rows = sent.reduce((sum, batch) => sum + batch.rows, 0);
  progress.show(rows / Math.max(1, total), rows);
  function* unsent(): Generator<Batch> {
    for (const batch of batchesOf(journal)) if (!numbers.has(batch.number)) yield batch;
  }
  await eachBatch(unsent(), IN_FLIGHT_MAX, async (batch) => {
    const { counts, results, rowErrors } = await sendBatch(batch, sending);
    journal.transaction(() => {
      for (const rowError of rowErrors) journal.addRowError(rowError);
      done(batch, counts, results);
    });
    rows += batch.rows.length;
    progress.show(rows / total, rows);
  });
}

/** Validates the whole file, locally and at the service, without writing. Resolves to the predicted results. */
async function check(job: ImportJob, journal: Journal): Promise<{ summary: Summary; headers: Headers }> {
  const { importable, readOptions, progress, client, signal, acceptRenames, matchesFile } = job;
  const { sourceName } = readOptions;
  const rows = await rowsOf(job);
  progress.begin('Reading  ');
  await validateRows(rows, journal, { importable, sourceName, progress: progress.show }, signal);
  progress.end();
  checkAcrossRows(journal, importable, rows.headers);
  progress.begin('Checking ');
  const summary: Summary = { rows: 0, ...noCounts };
  const { headers } = rows;
  const keyOf = () => '';
  const options = { journal, client, importable, headers, isDryRun: true, acceptRenames, keyOf };
  await sendAll(options, job, (_, counts, results) => {
    for (const name of countNames) if (name !== 'rejected') summary[name] += counts[name];
    if (matchesFile === undefined) return;
    for (const { sent, status, matchedBy, id } of results)
      journal.addRowMatch({ row: sent.row, line: sent.line, status, matchedBy, id });
  });
  progress.end();
  if (matchesFile !== undefined) await writeMatchFile(journal.rowMatches(), matchesFile, job.cwd);
  const { rows: count, rejected } = journal.counts();
  if (rejected > 0) await rejectRows(journal, job, 'and nothing was written');
  return { summary: { ...summary, rows: count }, headers };
}

/** The options as text, to compare a resumed import with the interrupted one. */
function readOptionsText({ readOptions, input: { format }, acceptRenames }: ImportJob): string {
  return JSON.stringify({ ...readOptions, format, ...(acceptRenames && { acceptRenames }) });
}

/** Opens the journal of an interrupted import. Throws a usage error if there is none, or it does not match. */
function openInterrupted(path: string, job: ImportJob): [Journal, Metadata] {
  const { input } = job;
  const journal = Journal.open(path);
  const text = journal.metadata();
  const metadata = text === undefined ? undefined : (JSON.parse(text) as Metadata);
  const why =
    metadata === undefined
      ? 'no import of it was interrupted'
      : metadata.hash !== input.hash
        ? 'it has changed since it was interrupted'
        : metadata.readOptions !== readOptionsText(job)
          ? 'it was started with other options'
          : journal.isCurrent()
            ? undefined
            : 'it was started by an earlier release of roster';
  if (metadata !== undefined && why === undefined) return [journal, metadata];
  if (metadata === undefined) journal.delete();
  else journal[Symbol.dispose]();
  throw usageError(
    `cannot resume the import of ${input.name}: ${why}`,
    'Start again without --resume; existing records with the same values stay unchanged.',
  );
}

async function write(job: ImportJob, journal: Journal, metadata: Metadata): Promise<void> {
  const { importable, client, progress, io, resumeCommand, acceptRenames } = job;
  const headers = new Map(metadata.headers);
  const keyOf = ({ number }: Batch) => `${metadata.run}-${number}`;
  progress.begin('Importing');
  try {
    const options = { journal, client, importable, headers, isDryRun: false, acceptRenames, keyOf };
    await sendAll(options, job, ({ number, rows }, counts) =>
      journal.run(
        `insert into batch (number, rows, ${countNames.join(', ')}) values (?, ?${', ?'.repeat(countNames.length)})`,
        ...[number, rows.length, ...countNames.map((name) => counts[name])],
      ),
    );
  } catch (error) {
    progress.end();
    io.stderr.write(`The import is incomplete. Continue with: ${resumeCommand}\n`);
    throw error;
  }
  progress.end();
}

function summaryOf(journal: Journal): Summary {
  const sums = ['rows', ...countNames].map((name) => `coalesce(sum(${name}), 0) as ${name}`);
  return journal.get(`select ${sums.join(', ')} from batch`) as Summary;
}

/** Deletes the journal of an interrupted import, because a new one starts. */
function discardJournal(path: string, { io, resumeCommand }: ImportJob): void {
  if (!existsSync(path)) return;
  const journal = Journal.open(path);
  const wasWriting = journal.metadata() !== undefined;
  journal.delete();
  if (wasWriting)
    io.stderr.write(
      `A previous import of this file was interrupted. Starting again; to continue it instead: ${resumeCommand}\n`,
    );
}

/**
 * Imports a file: checks all of it first and writes nothing if there is any error; then writes it in batches, so that it
 * can be resumed after a crash. Resolves to the counts of results. Throws `CliError` if rows were rejected.
 */
export async function importFile(job: ImportJob): Promise<Summary> {
  const { importable, input, url, isDryRun, isResumed, env } = job;
  const path = journalFile(env, { url, resource: importable.name, name: input.name });
  if (!isResumed) discardJournal(path, job);
  let isResumable = isResumed;
  const [journal, before] = isResumed ? openInterrupted(path, job) : [Journal.open(path), undefined];
  try {
    let metadata = before;
    if (metadata === undefined) {
      journal.begin();
      const { summary, headers } = await check(job, journal);
      if (isDryRun) return summary;
      metadata = {
        hash: input.hash,
        readOptions: readOptionsText(job),
        run: job.run,
        headers: [...headers],
      };
      journal.makeDurable(JSON.stringify(metadata));
      isResumable = true;
    }
    await write(job, journal, metadata);
    isResumable = false;
    const summary = summaryOf(journal);
    if (summary.rejected > 0) await rejectRows(journal, job, 'and the others were written');
    return { ...summary };
  } finally {
    if (isResumable) journal[Symbol.dispose]();
    else journal.delete();
  }
}
