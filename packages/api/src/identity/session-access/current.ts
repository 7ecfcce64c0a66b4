import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { GRANT_OFFICES_MAX, GRANTS_MAX, Role } from '../../access/roles.ts';
import { Scope } from '../../access/scopes.ts';
import { Actor } from '../../engine/actor.ts';
import type { CallContext } from '../../trpc/context.ts';
import { Session } from '../sessions/schemas.ts';
import { findSession } from '../sessions/service.ts';

const scopesDocs = { example: ['offices:read'], maxItems: 20 };
const Scopes = z.array(Scope).meta({ ...scopesDocs, description: 'Operations the caller can use' });

export const CurrentCaller = z
  .strictObject({
    ...Actor.shape,
    name: z.string().meta({ description: 'Current name', example: 'Ana Martins' }),
    scopes: Scopes.meta({ ...scopesDocs, description: 'Scopes of all grants combined' }),
    grants: z
      .array(
        z.strictObject({
          role: Role.nullable().meta({ description: 'Role of the person; `null` for a key' }),
          scopes: Scopes,
          officeIds: z
            .array(z.string())
            .meta({ maxItems: GRANT_OFFICES_MAX })
            .nullable()
            .meta({
              description: 'Offices the grant is restricted to, with their branches; `null` for all offices',
              example: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
            }),
        }),
      )
      .meta({ description: 'Rights of the caller', maxItems: GRANTS_MAX }),
    session: Session.nullable().meta({ description: 'Current session; `null` if the request uses a key' }),
    expiresAt: z.string().nullable().meta({
      description: 'When the session, the key or its secret expires; `null` for never',
      example: '2026-01-31T08:00:00.000Z',
      format: 'date-time',
    }),
  })
  .meta({ id: 'CurrentCaller', description: 'The key or person that makes the request' });
export type CurrentCaller = z.infer<typeof CurrentCaller>;

function grantsOf({ grants }: Caller): CurrentCaller['grants'] {
  return grants.map(({ role, scopes, limit }) => ({
    role: role ?? null,
    scopes: [...scopes],
    officeIds: limit === undefined ? null : [...limit.granted],
  }));
}

export async function readCurrentCaller({ db, caller }: CallContext): Promise<CurrentCaller> {
  const { type, id, name, scopes, sessionId, endsAt } = caller;
  const session = sessionId === undefined ? undefined : await findSession(db, sessionId);
  return {
    type,
    id,
    name,
    scopes: [...scopes],
    grants: grantsOf(caller),
    session: session ?? null,
    expiresAt: endsAt === Number.POSITIVE_INFINITY ? null : new Date(endsAt).toISOString(),
  };
}
