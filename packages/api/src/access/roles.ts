import { z } from 'zod';
import { RecordId } from '../engine/fields/schemas.ts';
import { readScopes, type Scope, scopes, writeScopes } from './scopes.ts';

export const Role = z.enum(['viewer', 'editor', 'manager', 'admin']).meta({
  id: 'Role',
  description:
    '`viewer` can read, `editor` can also change records, `manager` can also run imports and bulk changes, `admin` ' +
    'manages access.',
  example: 'manager',
});
export type Role = z.infer<typeof Role>;

export const GRANT_OFFICES_MAX = 100;
export const GRANTS_MAX = 20;

export const OfficeIds = z
  .array(RecordId)
  .min(1)
  .max(GRANT_OFFICES_MAX)
  .nullable()
  .meta({
    description: 'Offices the grant is restricted to, with their branches; `null` for all offices',
    example: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
  });

export const Grant = z
  .strictObject({ role: Role, officeIds: OfficeIds })
  .meta({ id: 'Grant', description: 'A role for all offices, or for some offices with their branches' });
export type Grant = z.infer<typeof Grant>;

export const NewGrant = Grant.extend({ officeIds: OfficeIds.default(null) }).meta({
  id: 'NewGrant',
  description: 'A role, for all offices unless you set `officeIds`',
});

const viewer: Scope[] = [...readScopes, 'events:read'];
const editor: Scope[] = [...viewer, ...writeScopes];
const manager: Scope[] = [...editor, 'webhooks:manage'];

/** Each role also has the scopes of the role before it. */
export const scopesOfRole: Record<Role, readonly Scope[]> = { viewer, editor, manager, admin: scopes };

/** Whether a role may import, make bulk changes and schedule changes. */
export function mayManage(role: Role): boolean {
  return role === 'manager' || role === 'admin';
}
