import { compileOnce, type Database, type Param } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../engine/office-limit.ts';
import { recordUse } from './access-rows.ts';
import type { Caller } from './caller.ts';
import type { Scope } from './scopes.ts';

export interface KeyRights {
  id: string;
  name: string;
  scopes: Scope[];
  officeIds: string[] | null;
}

const findKey = compileOnce(
  (param: Param<{ hash: Buffer }>, db: Kysely<Database>) =>
    db
      .selectFrom('api_key_secret')
      .innerJoin('api_key', 'api_key.id', 'api_key_secret.key_id')
      .where('api_key_secret.hash', '=', param('hash'))
      .where('api_key.revoked_at', 'is', null)
      .select((row) => [
        ...(['api_key.id', 'api_key.name', 'api_key.scopes', 'api_key.office_ids as officeIds'] as const),
        row.fn<Date | null>('least', ['api_key.expires_at', 'api_key_secret.ends_at']).as('endsAt'),
        row('api_key_secret.ends_at', 'is', null).as('isCurrent'),
      ])
      .$narrowType<{ scopes: Scope[]; isCurrent: boolean }>(),
  { isReadOnly: true, lane: 'keys' },
);

export async function callerOfKey(
  db: Kysely<Database>,
  { id, name, scopes, officeIds }: KeyRights,
): Promise<Pick<Caller, 'type' | 'id' | 'name' | 'grants' | 'scopes'>> {
  const limit = officeIds === null ? undefined : await readLimit(db, officeIds);
  return { type: 'key', id, name, scopes, grants: [{ scopes, mayManage: true, limit }] };
}

export async function readKeyCaller(
  db: Kysely<Database>,
  hash: Buffer,
  now: Date,
): Promise<Caller | undefined> {
  const [found] = await findKey.execute(db, { hash });
  if (found === undefined) return undefined;
  const { endsAt, isCurrent } = found;
  const caller = await callerOfKey(db, found);
  await recordUse(db, 'api_key', { id: found.id, now });
  const endsAtMs = endsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return { ...caller, endsAt: endsAtMs, rightsEndAt: endsAtMs, isCurrent };
}
