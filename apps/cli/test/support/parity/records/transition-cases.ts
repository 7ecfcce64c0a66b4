import type { Input } from '../../../../src/options/fields.ts';
import { type CasesOf, idCases, noVersion, onlyKnown, type ParityCase } from '../case.ts';
import type { Fixtures } from '../isolated-service.ts';
import { scheduleCases } from '../scheduled-change-cases.ts';
import { type ResourceFixtures, staleCase } from './record-fixtures.ts';

/** A record after some operations. */
function after(
  fixture: ResourceFixtures,
  operations: ('deactivate' | 'delete')[],
  more: Input = {},
): ParityCase['input'] {
  return async (fixtures) => {
    const { id } = await fixture.make(fixtures);
    for (const operation of operations) await fixtures.client[fixture.resource][operation].mutate({ id });
    return { id, ...more };
  };
}

/** The cases of operations that read a record or change its status. */
export function transitionCases(fixture: ResourceFixtures): CasesOf {
  const unknownField: ParityCase = {
    title: 'an unknown field',
    errorCode: 'validation_failed',
    input: after(fixture, [], { nothing: 'x' }),
    except: onlyKnown,
  };
  const deleted = async (fixtures: Fixtures) => ({
    id: String((await after(fixture, ['delete'])(fixtures)).id),
  });
  return {
    get: [
      { title: 'a record', input: after(fixture, []) },
      {
        title: 'an id in upper case',
        input: async (fixtures) => ({ id: (await fixture.make(fixtures)).id.toUpperCase() }),
      },
      { title: 'a deleted record', errorCode: 'not_found', input: deleted },
      {
        title: 'an unknown parameter',
        errorCode: 'invalid_parameter',
        input: after(fixture, [], { nothing: 'x' }),
        except: onlyKnown,
      },
      ...idCases(),
    ],
    delete: [
      { title: 'a record at its version', input: after(fixture, ['deactivate'], { ifVersion: 2 }) },
      {
        title: 'an invalid version',
        errorCode: 'invalid_parameter',
        input: after(fixture, [], { ifVersion: 'two' }),
        except: noVersion,
      },
      staleCase(fixture),
      ...idCases(),
    ],
    deactivate: [
      {
        title: 'a record, with a reason',
        input: after(fixture, [], { reason: 'Moved to Porto', ifVersion: 1 }),
      },
      {
        title: 'an inactive record with any version',
        input: after(fixture, ['deactivate'], { ifVersion: 1 }),
      },
      {
        title: 'a reason that is too long',
        errorCode: 'validation_failed',
        input: after(fixture, [], { reason: 'x'.repeat(501) }),
      },
      {
        title: 'version zero',
        errorCode: 'validation_failed',
        input: after(fixture, [], { ifVersion: 0 }),
        except: noVersion,
      },
      unknownField,
      staleCase(fixture),
      ...scheduleCases(fixture, async () => ({})),
      ...idCases(),
    ],
    reactivate: [
      { title: 'an inactive record', input: after(fixture, ['deactivate'], { ifVersion: 2 }) },
      { title: 'an active record', input: after(fixture, []) },
      {
        title: 'an outdated version',
        errorCode: 'version_conflict',
        input: after(fixture, ['deactivate'], { ifVersion: 1 }),
      },
      unknownField,
      ...scheduleCases(fixture, async () => ({})),
      ...idCases(),
    ],
    restore: [
      { title: 'a deleted record', input: after(fixture, ['delete'], { ifVersion: 1 }) },
      { title: 'a record that is not deleted', input: after(fixture, []) },
      {
        title: 'an outdated version',
        errorCode: 'version_conflict',
        input: after(fixture, ['deactivate', 'delete'], { ifVersion: 1 }),
      },
      {
        title: 'a record whose source is now taken',
        errorCode: 'source_taken',
        input: async (fixtures) => {
          const source = { name: 'MLS', key: `taken ${fixtures.unique()}` };
          const [gone, other] = [await fixture.make(fixtures), await fixture.make(fixtures)];
          const { update, delete: remove } = fixtures.client[fixture.resource];
          await update.mutate({ id: gone.id, source });
          await remove.mutate({ id: gone.id });
          await update.mutate({ id: other.id, source });
          return { id: gone.id };
        },
      },
      unknownField,
      ...idCases(),
    ],
  };
}
