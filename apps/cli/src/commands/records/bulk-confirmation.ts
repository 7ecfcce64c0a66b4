import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { BulkPreview, Job } from '@roster/client';
import type { Input } from '../../contract/options.ts';
import { CliError, usageError } from '../../errors.ts';
import { ask } from '../../ui/io-streams.ts';
import type { CommandContext } from '../context.ts';
import { addWait, reportJob } from '../jobs/follow.ts';
import { type Names, reportPreview, showPreview } from '../jobs/preview.ts';

/** A change of many records by a job. */
interface Change {
  /** The procedure that accepts the job, and tries it with `dryRun`. */
  call: { mutate(input: Input, options: object): Promise<unknown> } | undefined;
  input: Input;
  /** The names of one that is changed, and of many. */
  names: Names;
  /** `Deactivate` */
  verb: string;
}

interface Options {
  expect?: string;
  yes?: true;
}

/** The number of `--expect`. Throws a usage error for anything else. */
function expectedOf({ expect, yes }: Options): number | undefined {
  if (expect === undefined && yes) {
    throw usageError('--yes needs --expect', 'Say how many match: --expect 24 --yes.');
  }
  if (expect === undefined || /^\d{1,9}$/.test(expect))
    return expect === undefined ? undefined : Number(expect);
  throw usageError(`--expect takes a number, not "${expect}"`);
}

/** Asks the user to type the number of what matches. Throws if the answer is another, or the user cannot be asked. */
async function confirm(
  { verb, names: [, many] }: Change,
  count: number,
  { io, callOptions }: CommandContext,
): Promise<void> {
  if (!io.isInteractive) {
    throw usageError('cannot prompt for confirmation', `Add --expect ${count} --yes to change them without.`);
  }
  const question = `${verb} these ${many}? Type their number to confirm: `;
  if ((await ask(io, question, callOptions.signal)).trim().replaceAll(',', '') !== String(count))
    throw new CliError('the number does not match; nothing was changed');
}

/** Adds the options by which a change of many records is confirmed, tried and awaited. */
export function addConfirmation(command: CommandUnknownOpts): void {
  command
    .option('--expect <number>', 'How many records have to match; nothing is changed if others do')
    .option('--yes', 'Do not ask for confirmation; needs --expect')
    .option('--dry-run', 'Show how many records match, and what would change; change nothing');
  addWait(command);
}

/** Changes what matches after showing how many they are and asking for their number, unless the options name it. */
export async function runConfirmed(
  change: Change,
  command: CommandUnknownOpts,
  context: CommandContext,
): Promise<void> {
  const options = command.opts() as Options;
  const expected = expectedOf(options);
  const { call, input, names } = change;
  if (call === undefined) throw new Error(`there is no procedure that changes many ${names[1]}`);
  // Without the idempotency key, which is that of the change.
  const tried = async () => {
    const count = expected === undefined ? {} : { expectedCount: expected };
    const { signal } = context.callOptions;
    return (await call.mutate({ ...input, ...count, dryRun: true }, { signal })) as BulkPreview;
  };
  if (context.isDryRun) return reportPreview(await tried(), names, context);
  let expectedCount = expected;
  if (!options.yes) {
    const preview = await tried();
    showPreview(preview, names, context);
    await confirm(change, preview.count, context);
    expectedCount = preview.count;
  }
  const job = (await call.mutate({ ...input, expectedCount }, context.callOptions)) as Job;
  await reportJob(job, command, context);
}
