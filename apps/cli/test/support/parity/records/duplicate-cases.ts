import type { Input } from '../../../../src/options/fields.ts';
import { type CasesOf, fewChoices, idCases, onlyKnown, type ParityCase } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import type { ResourceFixtures } from './record-fixtures.ts';

/** Creates two records that may be the same, and waits until they are found. Resolves to the ids of both and of the pair. */
async function aPair(fixtures: Fixtures, { resource, required }: ResourceFixtures) {
  const number = `LX${fixtures.unique()}`;
  const { create } = fixtures.client[resource] as {
    create: { mutate(input: Input): Promise<{ id: string }> };
  };
  const alike = { ...required, mlsId: number, phone: '+351210000042', address: { city: 'Porto' } };
  const [first, second] = [await create.mutate(alike), await create.mutate(alike)];
  const { id } = await fixtures.pairWith(resource, second.id);
  return { id, first: first.id, second: second.id, alike };
}

/** The cases of records that may be the same. */
export function duplicateCases(fixture: ResourceFixtures): CasesOf {
  const rejected = (title: string, input: Input, except?: ParityCase['except']): ParityCase => ({
    title,
    errorCode: 'invalid_parameter',
    input: () => input,
    ...(except && { except }),
  });
  const decided = async (fixtures: Fixtures) => {
    const { id } = await aPair(fixtures, fixture);
    await fixtures.client[fixture.resource].dismissDuplicate.mutate({ id });
    return id;
  };
  return {
    duplicates: [
      {
        title: 'the pair with a record',
        input: async (fixtures) => {
          const { first } = await aPair(fixtures, fixture);
          return { recordId: first, kind: ['number'], minScore: 0.9, includeTotal: true };
        },
      },
      {
        title: 'a pair that was decided about',
        input: async (fixtures) => {
          const { id, first } = await aPair(fixtures, fixture);
          await fixtures.client[fixture.resource].dismissDuplicate.mutate({ id });
          return { recordId: first, state: 'dismissed', sort: 'foundAt' };
        },
      },
      rejected('a score that is too low', { minScore: 0.2 }),
      rejected('a score that is no number', { minScore: 'high' }),
      rejected('an unknown kind', { kind: ['shoe size'] }, fewChoices),
      rejected('an unknown parameter', { nothing: 'x' }, onlyKnown),
      { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
      {
        title: 'a cursor of another list',
        errorCode: 'cursor_mismatch',
        input: async (fixtures) => {
          await aPair(fixtures, fixture);
          await aPair(fixtures, fixture);
          const { nextCursor } = await fixtures.client[fixture.resource].duplicates.query({ limit: 1 });
          return { cursor: nextCursor, sort: 'foundAt' };
        },
      },
    ],
    checkDuplicates: [
      {
        title: 'what looks like two records',
        input: async (fixtures) => (await aPair(fixtures, fixture)).alike,
      },
      { title: 'what looks like none', input: () => ({ ...fixture.required, mlsId: 'Of no other' }) },
      {
        title: 'a telephone that cannot be read',
        errorCode: 'validation_failed',
        input: () => ({ ...fixture.required, phone: 'none' }),
      },
    ],
    dismissDuplicate: [
      {
        title: 'a pair with a reason',
        input: async (fixtures) => ({ id: (await aPair(fixtures, fixture)).id, reason: 'Twins' }),
      },
      { title: 'a pair that is dismissed', input: async (fixtures) => ({ id: await decided(fixtures) }) },
      ...idCases(),
    ],
    reopenDuplicate: [
      { title: 'a pair that was dismissed', input: async (fixtures) => ({ id: await decided(fixtures) }) },
      {
        title: 'a pair that is open',
        input: async (fixtures) => ({ id: (await aPair(fixtures, fixture)).id }),
      },
      ...idCases(),
    ],
  };
}
