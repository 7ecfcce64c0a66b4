import type { Input } from '../../../../src/options/fields.ts';
import { type CasesOf, idCases, noVersion, onlyKnown, type ParityCase } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { type ResourceFixtures, staleCase } from './record-fixtures.ts';

/** A record with three versions, of which the last is inactive, and all of them in the log. */
async function changed(fixtures: Fixtures, { resource, make }: ResourceFixtures): Promise<string> {
  const { id } = await make(fixtures);
  const { update, deactivate } = fixtures.client[resource];
  await update.mutate({ id, phone: '+351210000001', address: { city: 'Porto' }, metadata: { unit: '7' } });
  await deactivate.mutate({ id, reason: 'Moved' });
  await fixtures.logged(id, 3);
  return id;
}

/** The cases of the history of records, and of reverting to an earlier version. */
export function historyCases(fixture: ResourceFixtures): CasesOf {
  const of = (more: Input = {}): ParityCase['input'] => {
    return async (fixtures) => ({ id: await changed(fixtures, fixture), ...more });
  };
  const unknownParameter: ParityCase = {
    title: 'an unknown parameter',
    errorCode: 'invalid_parameter',
    input: of({ nothing: 'x' }),
    except: onlyKnown,
  };
  const deleted = (more: Input = {}): ParityCase['input'] => {
    return async (fixtures) => {
      const id = await changed(fixtures, fixture);
      await fixtures.client[fixture.resource].delete.mutate({ id });
      await fixtures.logged(id, 4);
      return { id, ...more };
    };
  };
  const rejected = (title: string, input: Input): ParityCase => ({
    title,
    errorCode: 'validation_failed',
    input: of(input),
  });
  return {
    history: [
      { title: 'all changes of a record', input: of() },
      { title: 'the newest change', input: of({ limit: 1 }) },
      {
        title: 'the next page',
        input: async (fixtures) => {
          const id = await changed(fixtures, fixture);
          const { nextCursor } = await fixtures.client[fixture.resource].history.query({ id, limit: 2 });
          return { id, cursor: nextCursor, limit: 2 };
        },
      },
      { title: 'a deleted record', input: deleted() },
      { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: of({ cursor: 'x' }) },
      {
        title: 'a cursor of another record',
        errorCode: 'cursor_mismatch',
        input: async (fixtures) => {
          const [one, other] = [await changed(fixtures, fixture), await changed(fixtures, fixture)];
          const { nextCursor } = await fixtures.client[fixture.resource].history.query({ id: one, limit: 1 });
          return { id: other, cursor: nextCursor };
        },
      },
      unknownParameter,
      ...idCases(),
    ],
    revert: [
      { title: 'all fields', input: of({ toVersion: 1, reason: 'By mistake' }) },
      { title: 'some fields', input: of({ toVersion: 1, fields: ['phone', 'address.city'], ifVersion: 3 }) },
      {
        title: 'one change, without what has changed since',
        input: of({ toVersion: 1, keepChangesAfter: 2 }),
      },
      rejected('changes to keep that are those to revert', { toVersion: 1, keepChangesAfter: 1 }),
      { title: 'what would change', input: of({ toVersion: 1, dryRun: true }) },
      { title: 'the current version', input: of({ toVersion: 3 }) },
      { title: 'a deleted record', errorCode: 'not_found', input: deleted({ toVersion: 1 }) },
      rejected('a version that there is not', { toVersion: 9 }),
      rejected('no version', {}),
      rejected('fields that no change can write', { toVersion: 1, fields: ['status', 'nothing', 'phone.a'] }),
      {
        title: 'version zero',
        errorCode: 'validation_failed',
        input: of({ toVersion: 1, ifVersion: 0 }),
        except: noVersion,
      },
      {
        title: 'a source that is now taken',
        errorCode: 'source_taken',
        input: async (fixtures) => {
          const source = { name: 'MLS', key: `taken ${fixtures.unique()}` };
          const { resource, make } = fixture;
          const { update } = fixtures.client[resource];
          const [one, other] = [await make(fixtures), await make(fixtures)];
          await update.mutate({ id: one.id, source });
          await update.mutate({ id: one.id, source: null });
          await update.mutate({ id: other.id, source });
          await fixtures.logged(one.id, 3);
          return { id: one.id, toVersion: 2 };
        },
      },
      staleCase(fixture, { toVersion: 1 }),
      ...idCases({ toVersion: 1 }),
    ],
  };
}
