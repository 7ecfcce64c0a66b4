import type { Agent, NewAgent, NewOffice, Office } from '@roster/client';
import type { Input } from '../../../src/input/fields.ts';
import type { DoorCase } from './case.ts';
import type { Stage } from './isolated-service.ts';

export type RecordNoun = 'offices' | 'agents';

/** A new office, like no other. */
export function anOffice({ client, unique }: Stage, fields: Partial<NewOffice> = {}): Promise<Office> {
  return client.offices.create.mutate({ name: `Office ${unique()}`, ...fields });
}

/** A new agent, like no other. */
export function anAgent({ client, unique }: Stage, fields: Partial<NewAgent> = {}): Promise<Agent> {
  return client.agents.create.mutate({ firstName: 'Ana', lastName: `Reis ${unique()}`, ...fields });
}

/** What offices and agents have in common, as a case needs it. */
export interface StagedNoun {
  noun: RecordNoun;
  make: (stage: Stage) => Promise<Office | Agent>;
  /** The fields a new record must have. */
  required: Input;
}

export const stagedNouns: Record<RecordNoun, StagedNoun> = {
  offices: { noun: 'offices', make: anOffice, required: { name: 'Atlântico' } },
  agents: { noun: 'agents', make: anAgent, required: { firstName: 'Ana', lastName: 'Figueiredo' } },
};

/** A record of version 2, and an input that names version 1. */
async function stale(stage: Stage, { noun, make }: StagedNoun): Promise<Input> {
  const { id } = await make(stage);
  await stage.client[noun].update.mutate({ id, bio: 'Changed' });
  return { id, ifVersion: 1 };
}

export function staleCase(staged: StagedNoun, more: Input = {}): DoorCase {
  return {
    title: 'a version that is gone',
    refusal: 'version_conflict',
    input: async (stage) => ({ ...(await stale(stage, staged)), ...more }),
  };
}
