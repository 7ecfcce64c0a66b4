import { RosterError } from '@roster/client';
import { describe, expect, it } from 'vitest';
import { validateInput } from '../../src/contract/operations.ts';
import { useTestService } from '../support/test-service.ts';

const { client } = useTestService();

const agent = { firstName: 'Ana', lastName: 'Reis' };

/** The errors of the service for an input; empty if it accepts it. */
async function errorsOfService(
  resource: 'offices' | 'agents' | 'keys',
  input: object,
): Promise<readonly unknown[]> {
  try {
    await (client()[resource].create.mutate as (input: object) => Promise<unknown>)(input);
    return [];
  } catch (error) {
    if (error instanceof RosterError) return error.errors;
    throw error;
  }
}

describe('the input of a change', () => {
  it.each([
    ['offices', {}],
    ['offices', { name: ' ' }],
    ['offices', { name: '\u200b\u3164' }],
    ['offices', { name: 'x', branchType: 'tree', phone: 5, nothing: 1 }],
    ['offices', { name: 'x', address: { country: 'PT', street: 'Rua' }, source: { name: 'MLS' } }],
    ['offices', { name: 'x', licenses: [{ region: '11' }], website: 'roster.example' }],
    ['agents', { ...agent, email: 'no-address', officeId: 'x' }],
    ['agents', { ...agent, licenses: [{ number: 'A', expiresOn: '2027-02-30' }] }],
    ['agents', { ...agent, affiliations: [{ officeId: 'x', isVisible: 'no', since: '2027-02-30' }, {}] }],
    ['agents', { ...agent, designations: ['', 'GRI'] }],
    ['agents', { ...agent, languages: 'pt' }],
    ['agents', { ...agent, metadata: { a: 1 }, licenses: { number: 'A' }, address: 'Rua' }],
    ['agents', { ...agent, languages: Array.from({ length: 21 }, () => 'pt'), bio: null, phone: 1.5 }],
    ['agents', { firstName: null, lastName: 'x'.repeat(300), affiliations: [{ officeId: 'x' }, 'x'] }],
    ['offices', { name: 'x', email: 'mailto:é@x.example' }],
    ['agents', { ...agent, email: '‹é@x.example>' }],
    ['agents', { ...agent, email: 'é@x\u200b.example' }],
    ['agents', { ...agent, email: 'é\u202a@x.example' }],
    ['agents', { ...agent, email: 'e\u0301@x.example;' }],
    ['offices', { name: ['x'], mlsId: ['a', 'b'], address: [{}] }],
    ['keys', { name: 'x', scopes: [] }],
    ['keys', { name: 'x', scopes: ['all'] }],
  ] as const)('of %s is rejected with the same errors as by the service: %j', async (resource, input) => {
    const errors = validateInput(`${resource}.create`, input);
    expect(errors).not.toEqual([]);
    expect(errors.map(({ pointer, detail }) => `${pointer} ${detail}`).sort()).toEqual(
      (await errorsOfService(resource, input))
        .map((error) => {
          const { pointer, detail } = error as { pointer: string; detail: string };
          return `${pointer} ${detail}`;
        })
        .sort(),
    );
  });

  it.each([
    [
      'offices',
      { name: ' Atlântico ', phone: '', legalName: null, licenses: null, website: ' https://a.example ' },
    ],
    ['offices', { name: '東'.repeat(255), metadata: { ' a ': '' }, email: 'josé@exemplo.example' }],
    ['agents', { ...agent, languages: ['pt-br'], email: '', address: null, source: null }],
    ['offices', { name: 'x', branchType: 'Stand_Alone', email: '\u202aa@x.example\u202c' }],
    ['agents', { ...agent, email: '"a,b:c"@[IPv6:2001:db8::1]' }],
    ['agents', { ...agent, email: `${'e\u0301'.repeat(64)}@${'e\u0301.'.repeat(80)}example` }],
    ['keys', { name: 'x', scopes: ['offices:read'], expiresAt: '2099-01-01T00:00:00+01:00' }],
  ] as const)('of %s is accepted if the service accepts it: %j', async (resource, input) => {
    expect(await errorsOfService(resource, input)).toEqual([]);
    expect(validateInput(`${resource}.create`, input)).toEqual([]);
  });

  it('has the same maximum lengths as in the service, in code points and not in UTF-16 units', async () => {
    const input = { name: '👩'.repeat(256) };
    const [fault] = validateInput('offices.create', input);
    expect(fault).toMatchObject({ pointer: '#/name', code: 'too_long' });
    expect(validateInput('offices.create', { name: '👩'.repeat(255) })).toEqual([]);
  });
});
