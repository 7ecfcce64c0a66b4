import { existsSync } from 'node:fs';
import type { Environment } from '../context/environment.ts';
import type { Io } from '../context/io-streams.ts';
import { CliError, usageError } from '../errors/errors.ts';
import { compareRows } from './check/cross-row-checks.ts';
import { faultLines, writeFaults } from './check/error-report.ts';
import { readRows } from './check/validate-rows.ts';
import type { Importable } from './importable.ts';
import { type Counts, Ledger, noCounts } from './journal.ts';
import { stateFile } from './journal-files.ts';
import type { Progress } from './progress.ts';
import { readCsv } from './read/csv-rows.ts';
import { columnReader, columnsOfHeader, type HeaderRules } from './read/header.ts';
import type { InputFile } from './read/input-file.ts';
import { readNdjson } from './read/ndjson-rows.ts';
import type { Headers, Rows } from './read/rows.ts';
import { type Batch, batchesOf, eachBatch } from './send/batches.ts';
import type { Service } from './send/import-client.ts';
import { sendBatch, type Transfer } from './send/send-batch.ts';

/** How an input is understood; another way makes it another import. */
interface Understanding extends HeaderRules {
  encoding: string;
  /** The name of the source of rows without one. */
  sourceName: string | undefined;
}

/** One import, and what it works with. */
export interface Import {
  importable: Importable;
  input: InputFile;
  understanding: Understanding;
  url: string;
  /** A part of the idempotency key of each batch, the same for as long as one import is gone on with. */
  run: string;
  service: Service;
  io: Io;
  env: Environment;
  cwd: string;
  signal: AbortSignal;
  progress: Progress;
  /** The file for what is wrong, as it was named. */
  errorsFile: string | undefined;
  isDryRun: boolean;
  isResumed: boolean;
  /** The command that goes on with it. */
  resumeCommand: string;
}

/** What is known of an import that has begun to write. */
interface About {
  hash: string;
  understanding: string;
  run: string;
  headers: [place: string, header: string][];
}

/** What became of all rows. */
export type Summary = { rows: number } & Counts;

const countNames = Object.keys(noCounts) as (keyof Counts)[];

const IN_FLIGHT_MAX = 3;
const FAULTS_SHOWN = 20;

const number = (value: number) => value.toLocaleString('en');

async function rowsOf({ input, importable, understanding }: Import): Promise<Rows> {
  const { encoding } = understanding;
  if (input.format === 'csv') {
    const columnsOf = (headers: string[]) => columnsOfHeader(headers, importable, understanding);
    return readCsv(input, { encoding, columnsOf });
  }
  return readNdjson(input, { encoding, columnOf: columnReader(importable, understanding) });
}

/** Reports all that is wrong: to the file if there is one, and the first of it to the user. */
async function refuse(ledger: Ledger, { errorsFile, cwd }: Import, what: string): Promise<never> {
  const { rows, refused } = ledger.counts();
  if (errorsFile !== undefined) await writeFaults(ledger.faults(), errorsFile, cwd);
  const lines = faultLines(ledger.faults(), FAULTS_SHOWN);
  const more = (ledger.get('select count(*) as count from fault') as { count: number }).count - FAULTS_SHOWN;
  const rest = more > 0 ? `  and ${number(more)} more\n` : '';
  const all =
    errorsFile === undefined ? 'All of it as CSV: --errors <file>' : `All of it is in ${errorsFile}.`;
  throw new CliError(`${number(refused)} of ${number(rows)} rows are refused, ${what}`, {
    remedy: `${lines}${rest}${all}`,
  });
}

/** Sends every batch that has not been sent, and notes what became of it. */
async function sendAll(
  transfer: Transfer,
  { progress }: Import,
  done: (batch: Batch, counts: Counts) => void,
) {
  const { ledger } = transfer;
  const { total } = ledger.get('select count(*) as total from row where record is not null') as {
    total: number;
  };
  const sent = ledger.all('select number, rows from batch') as { number: number; rows: number }[];
  const numbers = new Set(sent.map(({ number }) => number));
  let rows = sent.reduce((sum, batch) => sum + batch.rows, 0);
  progress.show(rows / Math.max(1, total), rows);
  function* unsent() {
    for (const batch of batchesOf(ledger)) if (!numbers.has(batch.number)) yield batch;
  }
  await eachBatch(unsent(), IN_FLIGHT_MAX, async (batch) => {
    const { counts, faults } = await sendBatch(batch, transfer);
    ledger.together(() => {
      for (const fault of faults) ledger.addFault(fault);
      done(batch, counts);
    });
    rows += batch.rows.length;
    progress.show(rows / total, rows);
  });
}

/** Reads and judges everything, here and at the service, and writes nothing. Answers what would become of the rows. */
async function check(made: Import, ledger: Ledger): Promise<{ summary: Summary; headers: Headers }> {
  const { importable, understanding, progress, service, signal } = made;
  const { sourceName } = understanding;
  const rows = await rowsOf(made);
  progress.begin('Reading  ');
  await readRows(rows, ledger, { importable, sourceName, progress: progress.show }, signal);
  progress.end();
  compareRows(ledger, importable, rows.headers);
  progress.begin('Checking ');
  const summary: Summary = { rows: 0, ...noCounts };
  const { headers } = rows;
  const keyOf = () => '';
  await sendAll({ ledger, service, importable, headers, isRehearsal: true, keyOf }, made, (_, counts) => {
    for (const name of countNames) if (name !== 'refused') summary[name] += counts[name];
  });
  progress.end();
  const { rows: count, refused } = ledger.counts();
  if (refused > 0) await refuse(ledger, made, 'and nothing was written');
  return { summary: { ...summary, rows: count }, headers };
}

/** What makes an import the same as one before. */
function understandingOf({ understanding, input: { format } }: Import): string {
  return JSON.stringify({ ...understanding, format });
}

/** Opens what is known of an import that was interrupted. Throws a usage error where that was another, or none. */
function resumed(path: string, made: Import): [Ledger, About] {
  const { input } = made;
  const ledger = Ledger.open(path);
  const text = ledger.about();
  const about = text === undefined ? undefined : (JSON.parse(text) as About);
  const why =
    about === undefined
      ? 'no import of it was interrupted'
      : about.hash !== input.hash
        ? 'it has changed since it was interrupted'
        : about.understanding !== understandingOf(made)
          ? 'it was begun with other options'
          : undefined;
  if (about !== undefined && why === undefined) return [ledger, about];
  if (about === undefined) ledger.delete();
  else ledger[Symbol.dispose]();
  throw usageError(
    `cannot resume the import of ${input.name}: ${why}`,
    'Begin anew without --resume; what is there already stays as it is.',
  );
}

async function write(made: Import, ledger: Ledger, about: About): Promise<void> {
  const { importable, service, progress, io, resumeCommand } = made;
  const headers = new Map(about.headers);
  const keyOf = ({ number }: Batch) => `${about.run}-${number}`;
  progress.begin('Importing');
  try {
    const transfer = { ledger, service, importable, headers, isRehearsal: false, keyOf };
    await sendAll(transfer, made, ({ number, rows }, counts) =>
      ledger.run(
        `insert into batch (number, rows, ${countNames.join(', ')}) values (?, ?${', ?'.repeat(countNames.length)})`,
        ...[number, rows.length, ...countNames.map((name) => counts[name])],
      ),
    );
  } catch (error) {
    progress.end();
    io.stderr.write(`Not all was written. Go on with: ${resumeCommand}\n`);
    throw error;
  }
  progress.end();
}

function summaryOf(ledger: Ledger): Summary {
  const sums = ['rows', ...countNames].map((name) => `coalesce(sum(${name}), 0) as ${name}`);
  return ledger.get(`select ${sums.join(', ')} from batch`) as Summary;
}

/** Forgets what is known of an import that was interrupted, because it begins anew. */
function forget(path: string, { io, resumeCommand }: Import): void {
  if (!existsSync(path)) return;
  const ledger = Ledger.open(path);
  const wasWriting = ledger.about() !== undefined;
  ledger.delete();
  if (wasWriting)
    io.stderr.write(`An import of it was interrupted; it begins anew. To go on instead: ${resumeCommand}\n`);
}

/**
 * Imports a file: checks all of it first, and writes nothing where anything is wrong; then writes it batch by batch,
 * so that it can be gone on with after a kill. Answers what became of the rows. Throws what is wrong with them.
 */
export async function importFile(made: Import): Promise<Summary> {
  const { importable, input, url, isDryRun, isResumed, env } = made;
  const path = stateFile(env, { url, noun: importable.name, name: input.name });
  if (!isResumed) forget(path, made);
  let isKept = isResumed;
  const [ledger, before] = isResumed ? resumed(path, made) : [Ledger.open(path), undefined];
  try {
    let about = before;
    if (about === undefined) {
      ledger.begin();
      const { summary, headers } = await check(made, ledger);
      if (isDryRun) return summary;
      about = {
        hash: input.hash,
        understanding: understandingOf(made),
        run: made.run,
        headers: [...headers],
      };
      ledger.keep(JSON.stringify(about));
      isKept = true;
    }
    await write(made, ledger, about);
    isKept = false;
    const summary = summaryOf(ledger);
    if (summary.refused > 0) await refuse(ledger, made, 'and the others were written');
    return { ...summary };
  } finally {
    if (isKept) ledger[Symbol.dispose]();
    else ledger.delete();
  }
}
