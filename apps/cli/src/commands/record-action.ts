import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Session, Start } from '../context/command-context.ts';
import { verbContract } from '../contract/contract.ts';
import { change } from '../input/apply-change.ts';
import { type Input, inputOf } from '../input/fields.ts';
import { counted, reportChange } from '../output/report-change.ts';
import type { Noun, Transition } from '../resources.ts';
import { recordCommand } from './command-builder.ts';

const agents = ['agent', 'agents'] as const;

/** How many active agents an office has; undefined where the key may not read agents. */
async function activeAgents(officeId: string, { client, callOptions }: Session): Promise<number | undefined> {
  try {
    const query = { officeId, status: 'active' as const, limit: 1, includeTotal: true };
    return (await client.agents.list.query(query, { signal: callOptions.signal })).total ?? 0;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'insufficient_scope') throw error;
    return undefined;
  }
}

/** Says how many agents go with an office, before the change; answers what is said of them after it. */
async function watchCascade(
  id: string,
  input: Input,
  session: Session,
): Promise<() => Promise<string | undefined>> {
  const { io, json, isDryRun } = session;
  if (input.cascade !== true || !io.isTerminal || json !== undefined) return async () => undefined;
  const before = await activeAgents(id, session);
  if (before === undefined) return async () => undefined;
  io.stderr.write(`${isDryRun ? 'With it go' : 'Deactivating with it'} ${counted(before, agents)}.\n`);
  return async () => `and its ${counted(before - ((await activeAgents(id, session)) ?? 0), agents)}`;
}

/** A verb that takes one record into another state and answers it: `deactivate <id>`, `rotate <id>`. */
export function transitionCommand(verb: Transition) {
  return (noun: Noun, start: Start): CommandUnknownOpts => {
    const { fields } = verbContract(noun.name, verb);
    return recordCommand(noun, verb).action(async (id, options, command) => {
      const session = await start(noun, command);
      const input = { ...inputOf(fields, options), id };
      const cascaded = await watchCascade(id, input, session);
      const done = await change({ noun, verb, input }, session);
      if (done?.record === undefined) return;
      const others = await cascaded();
      const report = { noun, verb, record: done.record, ...(others !== undefined && { with: others }) };
      await reportChange(report, session);
    });
  };
}
