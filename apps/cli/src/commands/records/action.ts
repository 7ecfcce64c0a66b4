import type { Job, OfficeDeactivated, OfficeReactivated } from '@roster/client';
import type { Row } from '../../contract/columns.ts';
import { hasPreview, validateInput } from '../../contract/operations.ts';
import type { Input } from '../../contract/options.ts';
import type { Resource } from '../../contract/resources.ts';
import { hasErrorCode, usageError } from '../../errors.ts';
import { counted, grouped } from '../../ui/text.ts';
import { applyChange, type MakeCommand, operationCommand, reportChange } from '../command-builder.ts';
import type { CommandContext } from '../context.ts';
import { addWait, reportJob } from '../jobs/follow.ts';
import { reportPreview, undoWords } from '../jobs/preview.ts';

const agents = ['agent', 'agents'] as const;
const affiliations = ['affiliation', 'affiliations'] as const;

/** The effect of `--cascade` on agents. Only a reactivation rejects some of them. */
type Cascaded = NonNullable<OfficeDeactivated['cascaded']> &
  Partial<NonNullable<OfficeReactivated['cascaded']>>;

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
function isScheduled(operation: string, input: Input, { scheduledChanges }: Row): boolean {
  if (!isTimed(input) || !Array.isArray(scheduledChanges)) return false;
  return scheduledChanges.some(({ change }) => change === operation.replace('-', '_'));
}

async function announceCascade(
  { name }: Resource,
  { id, ...input }: Input,
  context: CommandContext,
): Promise<void> {
  const { io, printer } = context;
  if (input.cascade !== true || isTimed(input) || !printer.isForPeople) return;
  if (validateInput(`${name}.deactivate`, { id, ...input }).length > 0) return;
  const before = await activeAgents(String(id), context);
  if (before === undefined) return;
  io.stderr.write(`Also deactivating ${counted(before, agents)}.\n`);
}

function previewCascade(id: unknown, { procedures, callOptions }: CommandContext) {
  return procedures.previewReactivate.mutate({ id }, { signal: callOptions.signal });
}

/** The effect of a cascade, behind the name of the office: `and its 24 agents; 3 affiliations ended`. */
function cascadeText(operation: string, cascaded: Cascaded): string {
  const own = `and its ${counted(cascaded.agents, agents)}`;
  if (cascaded.affiliations === 0) return own;
  return `${own}; ${counted(cascaded.affiliations, affiliations)} ${operation === 'deactivate' ? 'ended' : 'restored'}`;
}

function reportRejected({ rejected = 0, errors = [] }: Cascaded, { io, printer }: CommandContext): void {
  if (rejected === 0 || !printer.isForPeople) return;
  const lines = errors.map(({ id, detail }) => `  ${id}  ${detail}\n`);
  const more = rejected > errors.length ? `  and ${grouped(rejected - errors.length)} more\n` : '';
  io.stderr.write(`${counted(rejected, agents)} could not be reactivated:\n${lines.join('')}${more}`);
}

/** An operation on one record with few options, such as `agents deactivate`, `agents transfer` or `webhooks rotate`. */
export function actionCommand(operation: string, subject?: string): MakeCommand {
  return operationCommand(operation, {
    ...(subject !== undefined && { subject }),
    addOptions: (command, { name }) => {
      if (operation === 'transfer-agents') addWait(command);
      if (operation === 'reactivate' && hasPreview(name, operation))
        command.option(
          '--dry-run',
          'With --cascade, show which agents would be reactivated, without changing anything',
        );
    },
    run: async ({ resource, input, options }, context) => {
      if (operation === 'deactivate') await announceCascade(resource, input, context);
      if (context.isDryRun && input.cascade !== true) throw usageError('--dry-run requires --cascade');
      if (context.isDryRun)
        return reportPreview(await previewCascade(input.id, context), agents, context, undoWords);
      const record = await applyChange<Row & { job?: Job; cascaded?: Cascaded }>(
        { resource, operation, input },
        context,
      );
      if (record === undefined) return;
      if (record.job !== undefined)
        return reportJob(record.job, options, context, (job) => ({ ...record, job }));
      const { cascaded } = record;
      const report = {
        resource,
        operation: isScheduled(operation, input, record) ? 'schedule' : operation,
        record,
        ...(cascaded !== undefined && { with: cascadeText(operation, cascaded) }),
      };
      await reportChange(report, context);
      if (cascaded !== undefined) reportRejected(cascaded, context);
    },
  });
}
