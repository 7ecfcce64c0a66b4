import { idCases, noVersion, onlyKnown, type ParityCase, UNKNOWN } from '../case.ts';
import { scheduleCases } from '../scheduled-change-cases.ts';
import { anOffice, type ResourceFixtures, staleCase } from './record-fixtures.ts';

/** The cases that both transfers have: of one agent, and of all agents of an office. `target` names the new office. */
export function transferCases(fixture: ResourceFixtures, target: 'officeId' | 'toOfficeId'): ParityCase[] {
  const { make } = fixture;
  return [
    {
      title: 'an unknown office',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, [target]: UNKNOWN }),
    },
    {
      title: 'an inactive office',
      errorCode: 'office_inactive',
      input: async (fixtures) => {
        const office = await anOffice(fixtures);
        await fixtures.client.offices.deactivate.mutate({ id: office.id });
        return { id: (await make(fixtures)).id, [target]: office.id };
      },
    },
    {
      title: 'an invalid office',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, [target]: 'x' }),
    },
    {
      title: 'no office',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, reason: 'Moved' }),
    },
    {
      title: 'version zero',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, [target]: UNKNOWN, ifVersion: 0 }),
      except: noVersion,
    },
    {
      title: 'an unknown field',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ id: (await make(fixtures)).id, [target]: UNKNOWN, nothing: 'x' }),
      except: onlyKnown,
    },
    {
      title: 'an outdated version of an active office',
      errorCode: 'version_conflict',
      input: async (fixtures) => {
        const stale = await staleCase(fixture).input(fixtures);
        return { ...stale, [target]: (await anOffice(fixtures)).id };
      },
    },
    ...scheduleCases(fixture, async (fixtures) => ({ [target]: (await anOffice(fixtures)).id })),
    ...idCases({ [target]: UNKNOWN }),
  ];
}
