import { agents } from '../../../../../packages/api/src/agents/definition.ts';
import { AgentQuery, NewAgent, RecordId } from '../../../../../packages/api/src/index.ts';
import { createRecord, readRecord } from '../../../../../packages/api/src/records/service.ts';
import { rawIfAccepted } from '../../../../../packages/api/src/resources/json/raw-json.ts';
import { readPage } from '../../../../../packages/api/src/resources/list/list-records.ts';
import type { CallContext, Context } from '../../../../../packages/api/src/trpc/context.ts';

/** The procedures that are measured, without tRPC: the check of the input, and what the procedure does. */

const procedures: Record<string, (ctx: CallContext, input: unknown) => Promise<unknown>> = {
  'agents.get': async (ctx, input) =>
    rawIfAccepted(ctx, await readRecord(ctx, agents, RecordId.parse((input as { id: unknown }).id))),
  'agents.list': async (ctx, input) => {
    const { expand, ...query } = AgentQuery.parse(input);
    if (expand !== undefined) throw new Error('nothing that is measured is expanded');
    const page = { resource: agents, input: agents.filtersOf(query), limit: ctx.limit };
    return rawIfAccepted(ctx, await readPage(ctx.db, page));
  },
  'agents.create': async (ctx, input) => {
    const record = await createRecord(ctx, agents, NewAgent.parse(input));
    ctx.services.notifier.onCommit();
    return record;
  },
};

/** Calls a procedure for a caller who may do everything. */
export async function callDirectly(name: string, input: unknown, context: Context): Promise<unknown> {
  const procedure = procedures[name];
  if (procedure === undefined) throw new Error(`${name} is not among what is measured`);
  const caller = await context.request.authenticate();
  return procedure({ ...context, caller, limit: undefined }, input);
}
