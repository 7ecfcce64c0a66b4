import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { BulkPreview, Job } from '@roster/client';
import { addWait, isAwaited, reportJob } from '../../bulk/follow-job.ts';
import { previewText } from '../../bulk/preview.ts';
import { type ChangeOptions, parseChange } from '../../bulk/record-change.ts';
import type { CommandContext, ContextFactory } from '../../context/command-context.ts';
import { bulkChangesOf, operationContract } from '../../contract/contract.ts';
import { CliError, usageError } from '../../errors/errors.ts';
import { addIdempotencyKey } from '../../options/change-options.ts';
import { addFields, type Input, parseInput } from '../../options/fields.ts';
import { addJson } from '../../output/json-option.ts';
import type { Resource } from '../../resources.ts';
import { ask } from '../../terminal/io-streams.ts';

interface BulkOptions extends ChangeOptions {
  all?: true;
  reason?: string;
  expect?: string;
  yes?: true;
}

const collect = (value: string, before: string[] = []) => [...before, value];

function addChange(command: CommandUnknownOpts, { name }: Resource): void {
  const add = (flags: string, description: string) =>
    command.addOption(new Option(flags, description).helpGroup('Change:'));
  const set = new Option(
    '--set <field=value>',
    'Set a field, named as in the API (address.city); empty clears it',
  );
  command.addOption(set.argParser<string[]>(collect).helpGroup('Change:'));
  add('--data <json>', 'The fields to set as JSON: itself, @file, or - for stdin; --set takes precedence');
  add('--deactivate', `Deactivate the ${name}`);
  add('--reactivate', `Reactivate the ${name}`);
  add('--delete', `Delete the ${name}`);
  if (bulkChangesOf(name).includes('transfer'))
    add('--transfer-to <office-id>', `Move the ${name} to this office`);
  add('--reason <text>', 'Why; kept in the events');
}

/** The number of `--expect`. Throws a usage error for anything else. */
function expectedOf({ expect, yes }: BulkOptions): number | undefined {
  if (expect === undefined && yes) {
    throw usageError('--yes needs --expect', 'Say how many records match: --expect 24 --yes.');
  }
  if (expect === undefined || /^\d{1,9}$/.test(expect))
    return expect === undefined ? undefined : Number(expect);
  throw usageError(`--expect takes a number, not "${expect}"`);
}

const verbs: Record<string, string> = {
  deactivate: 'Deactivate',
  reactivate: 'Reactivate',
  delete: 'Delete',
  transfer: 'Transfer',
};

/** Asks the user to type the number of records that match. Throws if the answer is another, or the user cannot be asked. */
async function confirm(
  { change, count }: { change: Input; count: number },
  { name }: Resource,
  { io, callOptions }: CommandContext,
): Promise<void> {
  if (!io.isInteractive) {
    throw usageError('cannot prompt for confirmation', `Add --expect ${count} --yes to change them without.`);
  }
  const question = `${verbs[String(change.type)] ?? 'Change'} these ${name}? Type their number to confirm: `;
  if ((await ask(io, question, callOptions.signal)).trim().replaceAll(',', '') !== String(count))
    throw new CliError('the number does not match; nothing was changed');
}

/** `bulk`: changes all records that the filters select, after showing how many they are. */
export function bulkCommand(resource: Resource, createContext: ContextFactory): CommandUnknownOpts {
  const contract = operationContract(resource.name, 'bulk');
  const command = new Command('bulk')
    .summary(contract.summary)
    .description(`${contract.summary}. ${contract.description}`)
    .option('--all', `Select all ${resource.name}; required without a filter`);
  addFields(command, contract.fields);
  addChange(command, resource);
  command
    .option('--expect <number>', 'How many records have to match; nothing is changed if others do')
    .option('--yes', 'Do not ask for confirmation; needs --expect')
    .option('--dry-run', 'Show how many records match, and what would change; change nothing');
  addWait(command);
  addIdempotencyKey(command, contract);
  addJson(command, contract);
  return command.action(async (_options, command) => {
    const options = command.opts() as BulkOptions;
    const expected = expectedOf(options);
    const context = await createContext(resource, command);
    const { procedures, callOptions, printer, io, json } = context;
    const change = await parseChange(resource.name, options, context);
    const input: Input = {
      filter: { ...parseInput(contract.fields, command.opts()), ...(options.all && { all: true }) },
      change,
      ...(options.reason !== undefined && { reason: options.reason }),
    };
    const bulk = procedures.bulk;
    if (bulk === undefined) throw new Error(`there is no procedure ${resource.name}.bulk`);
    // Without the idempotency key, which is that of the change.
    const tried = async () => {
      const count = expected === undefined ? {} : { expectedCount: expected };
      const { signal } = callOptions;
      return (await bulk.mutate({ ...input, ...count, dryRun: true }, { signal })) as BulkPreview;
    };
    if (context.isDryRun) {
      const preview = await tried();
      if (!io.isTerminal || json !== undefined) await printer.record({ ...preview });
      else io.stderr.write(`${previewText(preview, resource)}Nothing was changed.\n`);
      return;
    }
    let expectedCount = expected;
    if (!options.yes) {
      const preview = await tried();
      io.stderr.write(previewText(preview, resource));
      await confirm({ change, count: preview.count }, resource, context);
      expectedCount = preview.count;
    }
    const job = (await bulk.mutate({ ...input, expectedCount }, callOptions)) as Job;
    await reportJob(job, { isAwaited: isAwaited(command.opts(), context), context });
  });
}
