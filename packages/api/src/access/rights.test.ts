import { describe, expect, it } from 'vitest';
import { ADMIN, type Caller, limitFor } from './caller.ts';
import { checkGivenRights, checkMayChange, rightOfKey } from './rights.ts';
import type { Scope } from './scopes.ts';

const limitTo = (...offices: string[]) => ({ granted: offices, offices: new Set(offices) });

/** A person with roles: what each allows, whether for many records too, and where. */
function callerWith(
  ...grants: [scopes: Scope[], mayManage: boolean, offices: string[] | undefined][]
): Caller {
  return {
    ...ADMIN,
    type: 'person',
    grants: grants.map(([scopes, mayManage, offices]) => ({
      scopes,
      mayManage,
      limit: offices && limitTo(...offices),
    })),
  };
}

const denied = expect.objectContaining({ errorCode: 'insufficient_scope' });

describe('a right', () => {
  const caller = callerWith(
    [['agents:read'], false, ['porto']],
    [['agents:read', 'agents:write'], true, ['gaia']],
    [['offices:read'], true, ['porto']],
    [['offices:read'], false, undefined],
  );

  it('is held for the offices of every role that has the scope, and of no other role', () => {
    expect(limitFor(caller, { scope: 'agents:read' })).toEqual(limitTo('porto', 'gaia'));
    expect(limitFor(caller, { scope: 'agents:write' })).toEqual(limitTo('gaia'));
    expect(() => limitFor(caller, { scope: 'teams:read' })).toThrow(denied);
  });

  it('is held for all offices if one role with the scope is', () => {
    expect(limitFor(caller, { scope: 'offices:read' })).toBe(undefined);
  });

  it('is held with one of several scopes', () => {
    const orScopes: Scope[] = ['agents:write'];
    expect(limitFor(caller, { scope: 'teams:read', orScopes })).toEqual(limitTo('gaia'));
  });

  it('for many records is held for the offices of roles that include that', () => {
    expect(limitFor(caller, { scope: 'agents:read', isManaged: true })).toEqual(limitTo('gaia'));
    expect(limitFor(caller, { scope: 'offices:read', isManaged: true })).toEqual(limitTo('porto'));
  });
});

describe('a right that is given or taken', () => {
  const caller = callerWith([['agents:read'], true, ['porto', 'gaia']], [['offices:read'], false, undefined]);

  it.each([
    [{ scopes: ['agents:read' as const], isManaged: true, officeIds: ['gaia'] }],
    [{ scopes: ['agents:read' as const], isManaged: true, officeIds: ['gaia', 'porto'] }],
    [{ scopes: ['offices:read' as const], isManaged: false, officeIds: null }],
  ])('can be one of the caller: %j', (right) => {
    expect(() => checkGivenRights(caller, [right])).not.toThrow();
    expect(() => checkMayChange(caller, [right])).not.toThrow();
  });

  it.each([
    ['for another office too', { scopes: ['agents:read'], isManaged: true, officeIds: ['gaia', 'faro'] }],
    ['for all offices', { scopes: ['agents:read'], isManaged: true, officeIds: null }],
    ['for many records, as that of a key', rightOfKey({ scopes: ['offices:read'], officeIds: ['gaia'] })],
    ['with another scope', { scopes: ['agents:read', 'teams:read'], isManaged: true, officeIds: ['gaia'] }],
  ] satisfies [string, Parameters<typeof checkMayChange>[1][number]][])(
    'cannot be one that the caller lacks: %s',
    (_, right) => {
      const own = { scopes: ['agents:read' as const], isManaged: true, officeIds: ['gaia'] };
      expect(() => checkGivenRights(caller, [own, right])).toThrow(denied);
      expect(() => checkMayChange(caller, [own, right])).toThrow(denied);
    },
  );
});
