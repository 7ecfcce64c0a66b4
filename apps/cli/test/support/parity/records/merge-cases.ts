import type { Input } from '../../../../src/options/fields.ts';
import { type CasesOf, idCases, noVersion, type ParityCase, UNKNOWN } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { type ResourceFixtures, staleCase } from './record-fixtures.ts';

/** The cases of merging two records, and of undoing that. */
export function mergeCases(fixture: ResourceFixtures): CasesOf {
  const { resource, make } = fixture;
  const two = async (fixtures: Fixtures) => {
    const [one, other] = [await make(fixtures), await make(fixtures)];
    return { id: one.id, duplicateId: other.id };
  };
  const merged = async (fixtures: Fixtures) => {
    const pair = await two(fixtures);
    await fixtures.client[resource].merge.mutate(pair);
    await fixtures.logged(pair.id, 2);
    return pair;
  };
  const of =
    (more: Input = {}): ParityCase['input'] =>
    async (fixtures) => ({ ...(await two(fixtures)), ...more });
  const rejected = (title: string, input: Input, except?: ParityCase['except']): ParityCase => ({
    title,
    errorCode: 'validation_failed',
    input: of(input),
    ...(except && { except }),
  });
  const taken = async (fixtures: Fixtures) => {
    const source = { name: 'MLS', key: `merged ${fixtures.unique()}` };
    const pair = await two(fixtures);
    const { update, merge } = fixtures.client[resource];
    await update.mutate({ id: pair.id, source: { ...source, key: `${source.key} too` } });
    await update.mutate({ id: pair.duplicateId, source });
    await merge.mutate(pair);
    // Only the survivor can take it.
    await update.mutate({ id: pair.id, source });
    return { id: pair.duplicateId };
  };
  return {
    merge: [
      {
        title: 'two records with a choice and a reason',
        input: async (fixtures) => {
          const pair = await two(fixtures);
          const { update } = fixtures.client[resource];
          await update.mutate({ id: pair.id, mlsId: 'Old', metadata: { a: '1' } });
          await update.mutate({ id: pair.duplicateId, mlsId: 'New', metadata: { a: '2', b: '3' } });
          return {
            ...pair,
            fields: { mlsId: 'duplicate' },
            reason: 'Twice',
            ifVersion: 2,
            duplicateVersion: 2,
          };
        },
      },
      { title: 'the record that would result', input: of({ dryRun: true }) },
      rejected('a choice of no field', {
        fields: { nothing: 'duplicate', status: 'survivor', mlsId: 'both' },
      }),
      rejected(
        'no duplicate',
        { duplicateId: undefined },
        { cli: 'a command without its option is a usage error' },
      ),
      {
        title: 'a record with itself',
        errorCode: 'validation_failed',
        input: async (fixtures) => {
          const { id } = await make(fixtures);
          return { id, duplicateId: id };
        },
      },
      { title: 'another version', errorCode: 'version_conflict', input: of({ duplicateVersion: 9 }) },
      rejected('version zero', { ifVersion: 0 }, noVersion),
      { title: 'an unknown duplicate', errorCode: 'not_found', input: of({ duplicateId: UNKNOWN }) },
      { title: 'a record that was merged', errorCode: 'record_merged', input: merged },
      staleCase(fixture, { duplicateId: UNKNOWN.replace('0', '1') }),
      ...idCases({ duplicateId: UNKNOWN.replace('0', '1') }),
    ],
    unmerge: [
      {
        title: 'a record that was merged',
        input: async (fixtures) => ({ id: (await merged(fixtures)).duplicateId, reason: 'Two' }),
      },
      {
        title: 'the preview of an undo',
        input: async (fixtures) => ({ id: (await merged(fixtures)).duplicateId, dryRun: true }),
      },
      { title: 'a source that is taken since', errorCode: 'source_taken', input: taken },
      {
        title: 'a record whose survivor was merged since',
        errorCode: 'record_merged',
        input: async (fixtures) => {
          const { id, duplicateId } = await merged(fixtures);
          const third = await make(fixtures);
          await fixtures.client[resource].merge.mutate({ id: third.id, duplicateId: id });
          return { id: duplicateId };
        },
      },
      {
        title: 'a record that was not merged',
        errorCode: 'not_found',
        input: async (fixtures) => ({ id: (await make(fixtures)).id }),
      },
      ...idCases(),
    ],
  };
}
