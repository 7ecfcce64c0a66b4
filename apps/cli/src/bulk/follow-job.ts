import { setTimeout } from 'node:timers/promises';
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Job } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { counted } from '../context/report-change.ts';
import { CliError } from '../errors/errors.ts';
import { progressOn } from '../import/progress.ts';
import { resources } from '../resources.ts';
import { printable } from '../terminal/text.ts';

/** Between two looks at a job, which grow with its length. */
const INTERVAL_MIN_MS = 100;
const INTERVAL_MAX_MS = 2_000;

const isEnded = ({ finishedAt }: Job) => finishedAt !== null;

/** The words for the records of a resource. */
function recordNames({ resource }: Job): readonly [string, string] {
  return [resources.find(({ name }) => name === resource)?.singular ?? 'record', resource];
}

/** Shows the progress of a job on stderr until it has ended; resolves to what it is then. */
async function followJob(job: Job, { client, callOptions, io }: CommandContext): Promise<Job> {
  const { signal } = callOptions;
  const progress = progressOn(io, { unit: recordNames(job) });
  const shareOf = ({ processed, total }: Job) => (total === 0 ? 1 : processed / total);
  progress.begin(job.undoes === null ? 'Changing' : 'Undoing');
  let current = job;
  for (
    let interval = INTERVAL_MIN_MS;
    !isEnded(current);
    interval = Math.min(interval * 1.5, INTERVAL_MAX_MS)
  ) {
    await setTimeout(interval, undefined, { signal });
    current = await client.jobs.get.query({ id: job.id }, { signal });
    progress.show(shareOf(current), current.processed);
  }
  progress.end();
  return current;
}

/** The outcome of a job, in sentences. */
function summaryOf(job: Job): string {
  const { id, status, changed, unchanged, rejected, total, processed } = job;
  const parts = [`Changed ${counted(changed, recordNames(job))}`];
  if (unchanged > 0) parts.push(`${unchanged.toLocaleString('en')} had the values already`);
  if (rejected > 0) parts.push(`${rejected.toLocaleString('en')} could not be changed`);
  if (processed < total) parts.push(`${(total - processed).toLocaleString('en')} were not tried`);
  const lines = [`${parts.join('; ')}.${status === 'cancelled' ? ' The job was cancelled.' : ''}`];
  for (const error of job.errors) lines.push(`  ${error.id}: ${printable(error.detail)}`);
  if (rejected > job.errors.length) lines.push(`  List all with: roster jobs errors ${id} --all`);
  if (changed > 0) lines.push(`Undo it with: roster jobs undo ${id}`);
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Reports a job that was accepted: follows it to its end if that is wanted, and prints it. Throws if it did not change every record,
 * so that the exit code says so.
 */
export async function reportJob(
  job: Job,
  { isAwaited, context }: { isAwaited: boolean; context: CommandContext },
): Promise<void> {
  const { io, json, printer } = context;
  const isPrinted = !io.isTerminal || json !== undefined;
  if (!isAwaited) {
    if (isPrinted) await printer.record(job);
    else io.stderr.write(`The job is ${job.id}. See it with: roster jobs get ${job.id}\n`);
    return;
  }
  const ended = isEnded(job) ? job : await followJob(job, context);
  if (isPrinted) await printer.record(ended);
  io.stderr.write(summaryOf(ended));
  if (ended.status !== 'completed')
    throw new CliError(`the job ended as ${ended.status.replaceAll('_', ' ')}`);
}

/** Adds `--wait` and `--no-wait` to a command that starts a job. */
export function addWait(command: CommandUnknownOpts): void {
  command.addOption(new Option('--wait', 'Wait until the job has ended; the default on a terminal'));
  command.addOption(new Option('--no-wait', 'Do not wait; the default in a pipe and with --json'));
}

/**
 * Whether a command waits for the job that it starts: as the options say, else on a terminal, where a person watches. In a pipe
 * the job is printed as it was accepted.
 */
export function isAwaited(
  { wait }: Record<string, unknown>,
  { io, json }: Pick<CommandContext, 'io' | 'json'>,
): boolean {
  if (typeof wait === 'boolean') return wait;
  return io.isTerminal && json === undefined;
}
