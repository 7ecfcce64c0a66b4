import type { FieldError, Import, ImportWrite, RosterError } from '@roster/client';
import { pathOfPointer } from '@roster/fields/json-pointer';
import { countryName } from '@roster/import';
import { CliError, Interrupted, usageError } from '../../../errors.ts';
import { askChoice, askLine } from '../../../ui/prompts.ts';
import { counted, grouped, printable } from '../../../ui/text.ts';
import { followImport, type Summary, summaryOf } from '../../imports/follow.ts';
import type { Decisions, ImportTask, KeptMapping } from './import-task.ts';
import { errorLines, errorsOf, rowsOf, writeErrorFile, writeMatchFile } from './reports.ts';

const ERRORS_SHOWN = 20;

/** The errors that `--json` prints, at most; `roster imports errors` lists all. */
const ERRORS_IN_JSON = 200;

/** Sends the file; on a terminal, after asking what its columns are. Resolves to its import and the mapping. */
async function send(task: ImportTask): Promise<{ started: Import; agreed: KeptMapping }> {
  const { importable, input, settings, connection, idempotencyKey, signal, isInteractive } = task;
  const [{ uploadImport }, { agreeOnColumns }] = await Promise.all([
    import('@roster/client'),
    import('./agree-on-columns.ts'),
  ]);
  try {
    const said = { mapping: task.mapping, emptyCells: settings.emptyCells };
    const agreed = isInteractive ? await agreeOnColumns(task) : said;
    const upload = { resource: importable.name, ...settings, ...agreed };
    const { url, key } = connection;
    return { started: await uploadImport(upload, input.blob, { url, key, signal, idempotencyKey }), agreed };
  } catch (error) {
    const unknown = unknownColumnsIn(error);
    throw unknown.length === 0 ? headerError(error) : unknownColumnsError(unknown);
  }
}

/** Throws an error that lists the first rows with errors, after writing all of them to the error file, if there is one. */
async function reportErrors(
  { id, errors: count, total }: Import,
  { client, errorsFile, cwd, signal, commandLine }: ImportTask,
  what: string,
): Promise<never> {
  if (errorsFile !== undefined) await writeErrorFile(errorsOf(client.imports, id, signal), errorsFile, cwd);
  const { items: errors } = await client.imports.errors.query({ id, limit: ERRORS_IN_JSON }, { signal });
  const first = errors.slice(0, ERRORS_SHOWN + 1);
  const more =
    first.length > ERRORS_SHOWN ? `  and more: ${commandLine(`imports errors ${id} --all`)}\n` : '';
  const all =
    errorsFile === undefined ? 'All errors as CSV: --errors <file>' : `All errors are in ${errorsFile}.`;
  const detail = `${grouped(count)} of ${grouped(total)} rows have errors, ${what}`;
  throw new CliError(detail, {
    json: { detail, importId: id, total, rowsWithErrors: count, errors },
    hint: `${errorLines(first.slice(0, ERRORS_SHOWN))}${more}${all}`,
  });
}

type WarningKind = Decisions['acceptWarnings'][number];

const warningTexts: Readonly<Record<WarningKind, readonly [one: string, many: string]>> = {
  renames: [
    'row renames a record that is matched by email alone',
    'rows rename records that are matched by email alone',
  ],
  clears: ['row clears fields with empty cells', 'rows clear fields with empty cells'],
  damaged: [
    'row has a value that a spreadsheet has destroyed, such as 1.2E+11 or #REF!',
    'rows have values that a spreadsheet has destroyed, such as 1.2E+11 or #REF!',
  ],
  guessed: [
    'row has a value that can be read in several ways, such as a company in a name or a year of two digits',
    'rows have values that can be read in several ways, such as a company in a name or a year of two digits',
  ],
  notRecord: ['row looks like a total or a title', 'rows look like totals or titles'],
  moves: ['row moves a record to a different office', 'rows move records to a different office'],
  deactivations: ['row deactivates a record', 'rows deactivate records'],
};

function clearedText({ findings }: Import): string {
  const counts = Object.entries(findings?.clearedFields ?? {});
  return ` (${counts.map(([field, count]) => `${field}: ${grouped(count)}`).join(', ')})`;
}

async function warnedLines(id: string, kind: WarningKind, { client, signal }: ImportTask): Promise<string> {
  const query = { id, warnings: [kind], limit: ERRORS_SHOWN };
  const { items } = await client.imports.rows.query(query, { signal });
  const lines = items.map(({ row, changes, recordId, notes, cells }) => {
    const changed = changes.map(
      ({ field, from, to }) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    );
    const noted = notes.flatMap((note) =>
      note.kind === kind
        ? [`${note.column || cells.filter((cell) => cell !== '').join(', ')} ${note.detail}`]
        : [],
    );
    const words = noted.length > 0 ? noted : changed;
    const named = recordId === null ? '' : ` (${recordId})`;
    const text = words.length === 0 ? '' : `: ${words.join(', ')}`;
    return `${printable(`  row ${row}${named}${text}`)}\n`;
  });
  return lines.join('');
}

async function isAgreed(
  message: string,
  fallback: 'yes' | 'no',
  { io, signal }: ImportTask,
): Promise<boolean> {
  const validate = async (text: string) => (/^(y|yes|n|no)$/i.test(text) ? undefined : 'Type yes or no.');
  return /^y/i.test(await askLine({ message, fallback, validate }, io, signal));
}

/** Asks whether rows with warnings may be written. Throws if they may not, or the user can't be asked. */
async function agreeOnWarnings(checked: Import, task: ImportTask): Promise<WarningKind[]> {
  const { io, decisions, isInteractive, commandLine } = task;
  const accepted = [...decisions.acceptWarnings];
  for (const kind of checked.findings?.warnings ?? []) {
    if (accepted.includes(kind) || decisions.skip.includes(kind)) continue;
    const count = checked.findings?.[kind] ?? 0;
    const lines = await warnedLines(checked.id, kind, task);
    const fields = kind === 'clears' ? clearedText(checked) : '';
    const message = `${counted(count, warningTexts[kind])}${fields}`;
    if (!isInteractive)
      throw new CliError(`${message}, and nothing was written`, {
        hint: `${lines}To write them anyway: --accept-warning ${kind}, or ${commandLine(`imports write ${checked.id} --accept-warning ${kind}`)}`,
      });
    io.stderr.write(`${message}:\n${lines}`);
    if (!(await isAgreed('Write them?', 'no', task))) throw new CliError('nothing was written');
    accepted.push(kind);
  }
  return accepted;
}

/** Stands for what to do with new rows that look like existing records. */
type LookAlikeChoice = 'create' | 'skip' | 'update';

async function chooseForLookAlikes({ id, findings }: Import, task: ImportTask): Promise<LookAlikeChoice> {
  const { client, io, signal, decisions, isInteractive, commandLine } = task;
  const count = findings?.lookAlikes ?? 0;
  const certain = findings?.certainLookAlikes ?? 0;
  if (decisions.updateLookAlikes === true) return 'update';
  if (count === 0 || decisions.skip.includes('lookAlikes')) return 'create';
  const { items } = await client.imports.rows.query({ id, looksLike: true, limit: ERRORS_SHOWN }, { signal });
  const lines = items.map(({ row, lookAlikes: [first] }) => {
    const why = first?.reasons.map(({ text }) => text).join('; ');
    return `  row ${row}: ${printable(`${first?.name} (${first?.recordId}), ${why}`)}\n`;
  });
  io.stderr.write(`${grouped(count)} new rows look like an existing record:\n${lines.join('')}`);
  if (count > items.length)
    io.stderr.write(`  and more: ${commandLine(`imports rows ${id} --looks-like --all`)}\n`);
  if (!isInteractive) {
    if (certain > 0)
      io.stderr.write(
        `${grouped(certain)} of them certainly are existing records. To update these instead: --update-look-alikes\n`,
      );
    return 'create';
  }
  const update = `Update the ${grouped(certain)} records that rows certainly are, and create the others`;
  return askChoice<LookAlikeChoice>(
    {
      message: 'What happens to these rows?',
      choices: [
        { value: 'create', name: 'Create them anyway' },
        { value: 'skip', name: 'Skip them' },
        ...(certain > 0 ? [{ value: 'update' as const, name: update }] : []),
      ],
      default: findings?.isUpdateSuggested ? 'update' : 'create',
    },
    io,
    signal,
  );
}

/** Prints the encoding of a file that does not name one, because characters may be wrong. */
function noteEncoding({ encoding }: Import, { io, settings }: ImportTask): void {
  if (settings.encoding !== undefined || encoding === 'utf-8') return;
  io.stderr.write(`The file is read as ${encoding}. If characters are wrong, use --encoding.\n`);
}

function notePhoneCountries({ findings }: Import, { io }: ImportTask): void {
  const found = (findings?.phoneCountries ?? []).map(
    ({ country, rows }) => `${countryName(country)} (${grouped(rows)} ${rows === 1 ? 'row' : 'rows'})`,
  );
  if (found.length > 0)
    io.stderr.write(`Phone numbers without a country code are read as: ${found.join(', ')}\n`);
}

async function follow(started: Import, { client, io, signal, commandLine }: ImportTask): Promise<Import> {
  try {
    return await followImport(started, { client, io, callOptions: { signal } });
  } catch (error) {
    if (signal.aborted || error instanceof Interrupted) {
      const { id } = started;
      io.stderr.write(
        `The import is still running. To check on it: ${commandLine(`imports get ${id}`)}; to stop it: ${commandLine(`imports cancel ${id}`)}\n`,
      );
    }
    throw error;
  }
}

function checkEnd({ id, status, failure }: Import, { commandLine }: ImportTask): void {
  const hint = `Continue it with: ${commandLine(`imports resume ${id}`)}`;
  if (status === 'cancelled') throw new CliError('the import was cancelled', { hint });
  if (status === 'failed') throw new CliError(`the import has failed: ${failure?.detail ?? ''}`, { hint });
}

/** Writes an import that was checked. Rows that update look-alikes are checked again first, and may have other warnings then. */
async function write(decided: ImportWrite, task: ImportTask): Promise<Import> {
  const { client, signal } = task;
  const ended = await follow(await client.imports.write.mutate(decided, { signal }), task);
  checkEnd(ended, task);
  if (ended.step === 'write') return ended;
  if (ended.errors > 0 && !decided.skip?.includes('errors'))
    await reportErrors(ended, task, 'and nothing was written');
  const acceptWarnings = await agreeOnWarnings(ended, {
    ...task,
    decisions: { ...task.decisions, acceptWarnings: decided.acceptWarnings ?? [] },
  });
  return write({ ...decided, acceptWarnings, updateLookAlikes: false }, task);
}

/**
 * Imports a file: the service checks all of it, and writes it in batches if there are no errors. Throws `CliError` if rows
 * have errors, or warnings that aren't accepted.
 */
export async function importFile(task: ImportTask): Promise<KeptMapping & { summary: Summary }> {
  const { client, cwd, signal, matchesFile, isDryRun, decisions, isInteractive } = task;
  const { started, agreed } = await send(task);
  const checked = await follow(started, task);
  checkEnd(checked, task);
  const { id } = checked;
  noteEncoding(checked, task);
  notePhoneCountries(checked, task);
  if (matchesFile !== undefined) await writeMatchFile(rowsOf(client.imports, id, signal), matchesFile, cwd);
  if (checked.errors > 0 && !decisions.skip.includes('errors'))
    await reportErrors(checked, task, 'and nothing was written');
  const acceptWarnings = await agreeOnWarnings(checked, task);
  const choice = await chooseForLookAlikes(checked, {
    ...task,
    isInteractive: isInteractive && !isDryRun,
  });
  if (isDryRun) return { summary: summaryOf(checked), ...agreed };
  const skip: Decisions['skip'] = choice === 'skip' ? [...decisions.skip, 'lookAlikes'] : decisions.skip;
  const written = await write({ id, acceptWarnings, skip, updateLookAlikes: choice === 'update' }, task);
  const others = written.errors === written.total ? 'and nothing was written' : 'and the others were written';
  if (written.errors > 0) await reportErrors(written, task, others);
  return { summary: summaryOf(written), ...agreed };
}

interface UnknownColumn {
  header: string;
  detail: string;
}

/** The errors of the fields that an error of the service names. Does not load the client, unlike `instanceof RosterError`. */
function fieldErrorsOf(error: unknown): readonly FieldError[] {
  return error instanceof Error && error.name === 'RosterError' ? (error as RosterError).errors : [];
}

function unknownColumnsIn(error: unknown): UnknownColumn[] {
  return fieldErrorsOf(error).flatMap(({ pointer = '', detail }) => {
    const [, part, header] = pathOfPointer(pointer);
    return part === 'columns' && header !== undefined ? [{ header, detail }] : [];
  });
}

/** The codes of errors of a header that other options correct. */
const headerCodes = new Set(['not_found', 'repeated']);

/** An error of an upload as the command line says it: a header that does not fit is a usage error. */
function headerError(error: unknown): unknown {
  const [first] = fieldErrorsOf(error);
  const isOfFile = first?.pointer === '#' && headerCodes.has(first.code);
  return isOfFile ? usageError(first.detail, 'See --map, --ignore and --key-column.') : error;
}

function unknownColumnsError(unknown: readonly UnknownColumn[]): Error {
  const words = unknown.map(({ header, detail }) => `"${header}" ${detail.split(';')[0]}`).join(', ');
  const near = unknown
    .slice(0, 5)
    .map(({ header, detail }) => `Closest to "${header}": ${detail.replace(/^.*the closest are /, '')}.\n`)
    .join('');
  return usageError(
    `the header has unknown columns: ${words}`,
    `${near}Map a column with --map "${unknown[0]?.header}=<column>", ignore one with ` +
      '--ignore <column>, or all of them with --ignore-unknown.',
  );
}
