import type { Input } from '../../../src/options/fields.ts';
import { type CasesOf, fewChoices, idCases, onlyKnown, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';
import { anAgent, anOffice, type ResourceFixtures } from './records/record-fixtures.ts';

/** A time after those of the services, whose clocks stand still in January 2026. */
const LATER = '2026-03-01T00:00:00Z';

/** Schedules the deactivation of an agent. Resolves to the id of the scheduled change. */
async function scheduled(fixtures: Fixtures): Promise<string> {
  const { id } = await anAgent(fixtures);
  const agent = await fixtures.client.agents.deactivate.mutate({
    id,
    effectiveAt: LATER,
    reason: 'On leave',
  });
  return agent.scheduledChanges[0]?.id ?? '';
}

export const scheduledChangeCases: CasesOf = {
  list: [
    {
      title: 'the transfers to an office, newest first',
      input: async (fixtures) => {
        const { id: officeId } = await anOffice(fixtures);
        for (const effectiveOn of ['2026-03-01', '2026-04-01']) {
          const { id } = await anAgent(fixtures);
          await fixtures.client.agents.transfer.mutate({ id, officeId, effectiveOn });
        }
        const status: ('pending' | 'done')[] = ['pending', 'done'];
        return { officeId: [officeId], status, change: ['transfer'], sort: '-effectiveAt', limit: 1 };
      },
    },
    {
      title: 'those of a record within times',
      input: async (fixtures) => {
        const id = await scheduled(fixtures);
        const { subject } = await fixtures.client.scheduledChanges.get.query({ id });
        const times = { effectiveSince: LATER, effectiveBefore: '2026-03-01T00:00:01Z' };
        return { subject: [subject], resource: ['agents'], ...times };
      },
    },
    {
      title: 'an invalid status',
      errorCode: 'invalid_parameter',
      input: () => ({ status: ['x'] }),
      except: fewChoices,
    },
    {
      title: 'an unknown filter',
      errorCode: 'invalid_parameter',
      input: () => ({ nothing: 'x' }),
      except: onlyKnown,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => {
        for (let count = 0; count < 2; count += 1) await scheduled(fixtures);
        const { nextCursor } = await fixtures.client.scheduledChanges.list.query({ limit: 1 });
        return { cursor: nextCursor, sort: 'scheduledAt' };
      },
    },
  ],
  get: [
    { title: 'a pending change', input: async (fixtures) => ({ id: await scheduled(fixtures) }) },
    ...idCases(),
  ],
  cancel: [
    { title: 'a pending change', input: async (fixtures) => ({ id: await scheduled(fixtures) }) },
    {
      title: 'a cancelled change',
      input: async (fixtures) => {
        const id = await scheduled(fixtures);
        await fixtures.client.scheduledChanges.cancel.mutate({ id });
        return { id };
      },
    },
    ...idCases(),
  ],
};

/** The cases of scheduling, for every operation that takes a time. */
export function scheduleCases(
  { make, resource }: ResourceFixtures,
  more: (fixtures: Fixtures) => Promise<Input>,
): ParityCase[] {
  const parseInput = (fields: Input) => async (fixtures: Fixtures) => ({
    id: (await make(fixtures)).id,
    ...(await more(fixtures)),
    ...fields,
  });
  return [
    { title: 'at a time', input: parseInput({ effectiveAt: LATER, reason: 'Planned' }) },
    { title: 'on a day', input: parseInput({ effectiveOn: '2026-03-01' }) },
    {
      title: 'at a time and on a day',
      errorCode: 'validation_failed',
      input: parseInput({ effectiveAt: LATER, effectiveOn: '2026-03-01' }),
    },
    {
      title: 'at a time that is too far ahead',
      errorCode: 'validation_failed',
      input: parseInput({ effectiveAt: '2036-02-01T00:00:00Z' }),
    },
    { title: 'on no day', errorCode: 'validation_failed', input: parseInput({ effectiveOn: '2026-02-30' }) },
    {
      title: 'more changes than a record may have',
      errorCode: 'limit_reached',
      input: async (fixtures) => {
        const input = await parseInput({ effectiveAt: LATER })(fixtures);
        const { client } = fixtures;
        for (let day = 1; day <= 20; day += 1) {
          const at = {
            id: String(input.id),
            effectiveAt: `2026-04-${String(day).padStart(2, '0')}T00:00:00Z`,
          };
          await client[resource].deactivate.mutate(at);
        }
        return input;
      },
    },
  ];
}
