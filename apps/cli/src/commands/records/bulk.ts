import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { BulkPreview, Job } from '@roster/client';
import { bulkChangesOf, operationContract } from '../../contract/operations.ts';
import { collect, type Input, parseInput } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Procedures } from '../../service/client.ts';
import { ask } from '../../ui/io-streams.ts';
import { buildOperationCommand } from '../command-builder.ts';
import type { CommandContext, ContextFactory } from '../context.ts';
import { addWait, reportJob } from '../jobs/follow.ts';
import { type Names, reportPreview, showPreview } from '../jobs/preview.ts';
import { type ChangeOptions, parseChange } from './bulk-change.ts';

interface BulkOptions extends ChangeOptions {
  all?: true;
  reason?: string;
  effectiveOn?: string;
  effectiveAt?: string;
}

function addChange(command: CommandUnknownOpts, { name }: Resource): void {
  const add = (flags: string, description: string) =>
    command.addOption(new Option(flags, description).helpGroup('Change:'));
  const set = new Option(
    '--set <field=value>',
    'Set a field by its name in the API (address.city). An empty value clears the field',
  );
  command.addOption(set.argParser<string[]>(collect).helpGroup('Change:'));
  add('--data <json>', 'The fields to set, as JSON, @file, or - for stdin. --set takes precedence');
  add('--deactivate', `Deactivate the ${name}`);
  add('--reactivate', `Reactivate the ${name}`);
  add('--delete', `Delete the ${name}`);
  if (bulkChangesOf(name).includes('transfer'))
    add('--transfer-to <office-id>', `Move the ${name} to this office`);
  add('--reason <text>', 'Why; shown in the history');
  add(
    '--effective-on <day>',
    'Schedule the change for a day (2027-02-01), at midnight at the office. Undo the job to cancel',
  );
  add('--effective-at <time>', 'Schedule the change for a time (2027-02-01T08:00:00Z)');
}

const verbs: Record<string, string> = {
  deactivate: 'Deactivate',
  reactivate: 'Reactivate',
  delete: 'Delete',
  transfer: 'Transfer',
};

export function bulkCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'bulk');
  const command = buildOperationCommand(resource, 'bulk');
  command.option('--all', `Select all ${resource.name}; required without a filter`);
  addChange(command, resource);
  addConfirmation(command);
  return command.action(async (_options, command) => {
    const options: BulkOptions = command.opts();
    const context = await createContext(resource, command);
    const change = await parseChange(resource.name, options, context);
    const input: Input = {
      filter: { ...parseInput(contract.fields, command.opts()), ...(options.all && { all: true }) },
      change,
      ...(options.reason !== undefined && { reason: options.reason }),
      ...(options.effectiveOn !== undefined && { effectiveOn: options.effectiveOn }),
      ...(options.effectiveAt !== undefined && { effectiveAt: options.effectiveAt }),
    };
    const names = [resource.singular, resource.name] as const;
    const isScheduled = (options.effectiveOn ?? options.effectiveAt) !== undefined;
    const verb = isScheduled ? 'Schedule the change for' : (verbs[String(change.type)] ?? 'Change');
    await runConfirmed({ call: context.procedures.bulk, input, names, verb }, command, context);
  });
}

interface Change {
  call: Procedures[string] | undefined;
  input: Input;
  names: Names;
  verb: string;
}

interface Options {
  expect?: string;
  yes?: true;
}

function expectedOf({ expect, yes }: Options): number | undefined {
  if (expect === undefined && yes) {
    throw usageError(
      '--yes needs --expect',
      'Add the number of records you expect to match: --expect 24 --yes.',
    );
  }
  if (expect === undefined || /^\d{1,9}$/.test(expect))
    return expect === undefined ? undefined : Number(expect);
  throw usageError(`--expect takes a number, not "${expect}"`);
}

async function confirm(
  { verb, names: [, many] }: Change,
  count: number,
  { io, callOptions }: CommandContext,
): Promise<void> {
  if (!io.isInteractive) {
    throw usageError("can't ask for confirmation", `Add --expect ${count} --yes to skip the confirmation.`);
  }
  const question = `${verb} these ${many}? Type their number to confirm: `;
  if ((await ask(io, question, callOptions.signal)).trim().replaceAll(',', '') !== String(count))
    throw new CliError('the number does not match; nothing was changed');
}

function addConfirmation(command: CommandUnknownOpts): void {
  command
    .option(
      '--expect <number>',
      'Number of records you expect to match. Nothing changes if the actual number differs',
    )
    .option('--yes', "Don't ask for confirmation. Needs --expect")
    .option('--dry-run', 'Show what would change, without changing anything');
  addWait(command);
}

async function runConfirmed(
  change: Change,
  command: CommandUnknownOpts,
  context: CommandContext,
): Promise<void> {
  const options: Options = command.opts();
  const expected = expectedOf(options);
  const { call, input, names } = change;
  if (call === undefined) throw new Error(`there is no procedure that changes many ${names[1]}`);
  // Without the idempotency key, which is that of the change.
  const tried = async () => {
    const count = expected === undefined ? {} : { expectedCount: expected };
    const { signal } = context.callOptions;
    return call.mutate<BulkPreview>({ ...input, ...count, dryRun: true }, { signal });
  };
  if (context.isDryRun) return reportPreview(await tried(), names, context);
  let expectedCount = expected;
  if (!options.yes) {
    const preview = await tried();
    showPreview(preview, names, context);
    await confirm(change, preview.count, context);
    expectedCount = preview.count;
  }
  const job = await call.mutate<Job>({ ...input, expectedCount }, context.callOptions);
  await reportJob(job, command.opts(), context);
}
