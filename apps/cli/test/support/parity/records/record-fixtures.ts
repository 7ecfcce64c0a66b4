import type { Agent, NewAgent, NewOffice, NewTeam, Office, ResourceName, Team } from '@roster/client';
import type { Input } from '../../../../src/options/fields.ts';
import type { ParityCase } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';

/** Creates a unique office. */
export function anOffice({ client, unique }: Fixtures, fields: Partial<NewOffice> = {}): Promise<Office> {
  return client.offices.create.mutate({ name: `Office ${unique()}`, ...fields });
}

/** Creates a unique agent. */
export function anAgent({ client, unique }: Fixtures, fields: Partial<NewAgent> = {}): Promise<Agent> {
  return client.agents.create.mutate({ firstName: 'Ana', lastName: `Reis ${unique()}`, ...fields });
}

/** Creates a unique team. */
export function aTeam({ client, unique }: Fixtures, fields: Partial<NewTeam> = {}): Promise<Team> {
  return client.teams.create.mutate({ name: `Team ${unique()}`, ...fields });
}

/** How cases create records of a resource. */
export interface ResourceFixtures {
  resource: ResourceName;
  make: (fixtures: Fixtures) => Promise<Office | Agent | Team>;
  /** The fields a new record must have. */
  required: Input;
}

export const resourceFixtures: Record<ResourceName, ResourceFixtures> = {
  offices: { resource: 'offices', make: anOffice, required: { name: 'Atlântico' } },
  agents: { resource: 'agents', make: anAgent, required: { firstName: 'Ana', lastName: 'Figueiredo' } },
  teams: { resource: 'teams', make: aTeam, required: { name: 'Ribeira' } },
};

/** Creates a record of version 2. Resolves to an input with version 1. */
async function stale(fixtures: Fixtures, { resource, make }: ResourceFixtures): Promise<Input> {
  const { id } = await make(fixtures);
  await fixtures.client[resource].update.mutate({ id, mlsId: 'Changed' });
  return { id, ifVersion: 1 };
}

export function staleCase(fixture: ResourceFixtures, more: Input = {}): ParityCase {
  return {
    title: 'an outdated version',
    errorCode: 'version_conflict',
    input: async (fixtures) => ({ ...(await stale(fixtures, fixture)), ...more }),
  };
}
