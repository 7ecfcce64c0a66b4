import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Row } from '../columns.ts';
import type { CommandContext, ContextFactory } from '../context/command-context.ts';
import { operationContract } from '../contract/contract.ts';
import { hasErrorCode } from '../errors/errors.ts';
import { applyChange } from '../input/apply-change.ts';
import { type Input, inputOf } from '../input/fields.ts';
import { counted, reportChange } from '../output/report-change.ts';
import type { RecordAction, Resource } from '../resources.ts';
import { buildRecordCommand } from './command-builder.ts';

const agents = ['agent', 'agents'] as const;

/** The number of active agents of an office; undefined if the key may not read agents. */
async function activeAgents(
  officeId: string,
  { client, callOptions }: CommandContext,
): Promise<number | undefined> {
  try {
    const primary = { officeId, affiliation: 'primary', status: 'active' } as const;
    const query = { ...primary, limit: 1, includeTotal: true };
    return (await client.agents.list.query(query, { signal: callOptions.signal })).total ?? 0;
  } catch (error) {
    if (!hasErrorCode(error, 'insufficient_scope')) throw error;
    return undefined;
  }
}

const isTimed = ({ effectiveAt, effectiveOn }: Input) =>
  effectiveAt !== undefined || effectiveOn !== undefined;

/** Whether a change was not made and is one of the record's pending ones. */
function isScheduled(operation: RecordAction, input: Input, { scheduledChanges }: Row): boolean {
  if (!isTimed(input) || !Array.isArray(scheduledChanges)) return false;
  return scheduledChanges.some(({ change }) => change === operation.replace('-', '_'));
}

/** Prints how many agents will be deactivated with an office. Returns a function that says how many were. */
async function reportCascade(
  id: string,
  input: Input,
  context: CommandContext,
): Promise<() => Promise<string | undefined>> {
  const { io, json, isDryRun } = context;
  const isQuiet = !io.isTerminal || json !== undefined;
  if (input.cascade !== true || isTimed(input) || isQuiet) return async () => undefined;
  const before = await activeAgents(id, context);
  if (before === undefined) return async () => undefined;
  io.stderr.write(
    `${isDryRun ? 'Would also deactivate' : 'Also deactivating'} ${counted(before, agents)}.\n`,
  );
  return async () => `and its ${counted(before - ((await activeAgents(id, context)) ?? 0), agents)}`;
}

/** Builds the command of an operation on one record with few options: `deactivate <id>`, `rotate <id>`. */
export function recordActionCommand(operation: RecordAction) {
  return (resource: Resource, createContext: ContextFactory): CommandUnknownOpts => {
    const { fields } = operationContract(resource.name, operation);
    return buildRecordCommand(resource, operation).action(async (id, options, command) => {
      const context = await createContext(resource, command);
      const input = { ...inputOf(fields, options), id };
      const cascaded = await reportCascade(id, input, context);
      const done = await applyChange({ resource, operation, input }, context);
      if (done?.record === undefined) return;
      const others = await cascaded();
      const isLater = isScheduled(operation, input, done.record);
      const report = {
        resource,
        operation: isLater ? 'schedule' : operation,
        record: done.record,
        ...(others !== undefined && { with: others }),
      };
      await reportChange(report, context);
    });
  };
}
