import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Job } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { resources } from '../../contract/resources.ts';
import { CliError } from '../../errors.ts';
import { followProgress } from '../../ui/progress.ts';
import { counted, grouped, printable } from '../../ui/text.ts';
import type { CommandContext } from '../context.ts';

function recordNames({ resource }: Job): readonly [string, string] {
  return [resources.find(({ name }) => name === resource)?.singular ?? 'record', resource];
}

function followJob(job: Job, { client, callOptions, io }: CommandContext): Promise<Job> {
  const { signal } = callOptions;
  const label = job.undoes === null ? 'Changing' : 'Undoing';
  return followProgress(job, {
    read: () => client.jobs.get.query({ id: job.id }, { signal }),
    phaseOf: ({ processed, total }) => ({
      label,
      share: total === 0 ? 1 : processed / total,
      count: processed,
    }),
    unit: recordNames(job),
    io,
    signal,
  });
}

function summaryOf(job: Job, { commandLine }: CommandContext): string {
  const { id, status, changed, partlyChanged, unchanged, rejected, total, processed } = job;
  const records = counted(changed, recordNames(job));
  const restored = changed === 0 ? 'Nothing was restored' : `Restored ${records}`;
  const parts = [job.undoes === null ? `Changed ${records}` : restored];
  if (partlyChanged > 0) parts.push(`${grouped(partlyChanged)} of them only partly`);
  if (unchanged > 0) parts.push(`${grouped(unchanged)} already had these values`);
  const could = job.undoes === null ? 'changed' : 'restored';
  if (rejected > 0) parts.push(`${grouped(rejected)} could not be ${could}`);
  if (processed < total) parts.push(`${grouped(total - processed)} weren't processed`);
  const lines = [`${parts.join('; ')}.${status === 'cancelled' ? ' The job was cancelled.' : ''}`];
  for (const error of job.errors) lines.push(`  ${error.id}: ${printable(error.detail)}`);
  if (rejected + partlyChanged > job.errors.length)
    lines.push(`  List all with: ${commandLine(`jobs errors ${id} --all`)}`);
  if (changed > 0) lines.push(`Undo it with: ${commandLine(`jobs undo ${id}`)}`);
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Prints a job, after following it to its end if the command waits. Where it is data, `rowOf` is printed, which defaults to
 * the job. Throws unless all records were changed, for the exit code.
 */
export async function reportJob(
  job: Job,
  options: Readonly<Record<string, unknown>>,
  context: CommandContext,
  rowOf: (job: Job) => Row = (row) => ({ ...row }),
): Promise<void> {
  const { io, printer, commandLine } = context;
  if (!isAwaited(options, context)) {
    if (!printer.isForPeople) await printer.record(rowOf(job));
    else io.stderr.write(`Started job ${job.id}. Check on it with: ${commandLine(`jobs get ${job.id}`)}\n`);
    return;
  }
  const ended = job.finishedAt === null ? await followJob(job, context) : job;
  if (!printer.isForPeople) await printer.record(rowOf(ended));
  io.stderr.write(summaryOf(ended, context));
  if (ended.status !== 'completed')
    throw new CliError(`the job ended as ${ended.status.replaceAll('_', ' ')}`);
}

export function addWait(command: CommandUnknownOpts): void {
  command.addOption(new Option('--wait', 'Wait until the job has finished. The default on a terminal'));
  command.addOption(new Option('--no-wait', "Don't wait. The default in a pipe and with --json"));
}

/** Whether to wait for a job: as the options say, else only on a terminal. */
export function isAwaited({ wait }: Readonly<Record<string, unknown>>, { printer }: CommandContext): boolean {
  return typeof wait === 'boolean' ? wait : printer.isForPeople;
}
