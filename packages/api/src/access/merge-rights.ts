import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { ADMIN_KEY_ID } from '../engine/actor.ts';
import { RosterError } from '../errors/roster-error.ts';
import { type Right, rightOfKey, rightsOfGrants } from './rights.ts';
import type { Scope } from './scopes.ts';

/** A merge gives rights over the survivor. No one can give more than they have, or gain by their own merge. */

/** `actorId` is null for the service itself. */
interface OfficeMerge {
  actorId: string | null;
  survivorId: string;
  duplicateId: string;
}

interface Holder {
  rights: Right[];
}

const keyRights = (db: Kysely<Database>) =>
  db.selectFrom('api_key').select(['scopes', 'office_ids as officeIds']).$narrowType<{ scopes: Scope[] }>();

/** Undefined for the admin key and the service itself, which have all rights. */
async function readActor(db: Kysely<Database>, actorId: string | null): Promise<Holder | undefined> {
  if (actorId === null || actorId === ADMIN_KEY_ID) return undefined;
  const key = await keyRights(db).where('id', '=', actorId).executeTakeFirst();
  if (key !== undefined) return { rights: [rightOfKey(key)] };
  const person = await db.selectFrom('person').where('id', '=', actorId).select('grants').executeTakeFirst();
  return { rights: rightsOfGrants(person?.grants ?? []) };
}

async function readLimited(db: Kysely<Database>, ids: readonly string[]): Promise<Holder[]> {
  const isLimited = sql<boolean>`office_ids && ${ids}::uuid[]`;
  const keys = await keyRights(db)
    .where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', sql<Date>`now()`)]))
    .where(isLimited)
    .execute();
  const webhooks = await db
    .selectFrom('webhook')
    .where(isLimited)
    .select('office_ids as officeIds')
    .execute();
  const people = await db
    .selectFrom('person')
    .where(
      sql<boolean>`exists (
        select from jsonb_array_elements(grants) as held (one),
          jsonb_array_elements_text(nullif(one -> 'officeIds', 'null')) as named (office_id)
        where office_id::uuid = any(${ids}::uuid[]))`,
    )
    .select('grants')
    .execute();
  const rights = [
    ...keys,
    ...webhooks.map((webhook) => ({ scopes: ['webhooks:manage' as const], ...webhook })),
  ];
  return [
    ...rights.map((right) => ({ rights: [rightOfKey(right)] })),
    ...people.map(({ grants }) => ({ rights: rightsOfGrants(grants) })),
  ];
}

async function readIds(db: Kysely<Database>, { survivorId, duplicateId }: OfficeMerge) {
  const { survivor, duplicate, duplicateAlone } = await db
    .selectNoFrom([
      sql<string[]>`office_limiting_ids(${survivorId}::uuid)`.as('survivor'),
      sql<string[]>`office_limiting_ids(${duplicateId}::uuid)`.as('duplicate'),
      sql<string[]>`office_merged_ids(${duplicateId}::uuid)`.as('duplicateAlone'),
    ])
    .executeTakeFirstOrThrow();
  return {
    survivor: new Set(survivor),
    duplicate: new Set(duplicate),
    duplicateAlone: new Set(duplicateAlone),
  };
}

type Part = `${Scope}${' managed' | ''}`;

function partsOver({ rights }: Holder, ids: ReadonlySet<string>): Set<Part> {
  const held = rights.filter(({ officeIds }) => officeIds?.some((id) => ids.has(id)) ?? true);
  return new Set(
    held.flatMap(({ scopes, isManaged }) =>
      scopes.flatMap((scope): Part[] => (isManaged ? [scope, `${scope} managed`] : [scope])),
    ),
  );
}

const without = (parts: ReadonlySet<Part>, ...others: readonly ReadonlySet<Part>[]) =>
  [...parts].filter((part) => !others.some((other) => other.has(part)));

function listed(parts: Iterable<Part>): string {
  return [...new Set(Array.from(parts, (part) => part.replace(' managed', '')))].join(', ');
}

/** Throws `insufficient_scope` unless the actor has the same rights over both offices. */
function checkSame(
  actor: Holder,
  { survivorId, duplicateId }: OfficeMerge,
  ids: Awaited<ReturnType<typeof readIds>>,
) {
  const [survivor, duplicate] = [partsOver(actor, ids.survivor), partsOver(actor, ids.duplicate)];
  const [more, less, id] =
    survivor.size > duplicate.size ? [survivor, duplicate, survivorId] : [duplicate, survivor, duplicateId];
  const missing = without(more, less);
  if (missing.length === 0) return;
  const detail = `You need the same rights over both offices. You only have these over ${id}: ${listed(missing)}.`;
  throw new RosterError('insufficient_scope', detail);
}

/** Needs equal rights over both offices, and those that others gain. Throws `insufficient_scope`. */
export async function checkMergeRights(db: Kysely<Database>, merge: OfficeMerge): Promise<void> {
  const { actorId, survivorId, duplicateId } = merge;
  const actor = await readActor(db, actorId);
  if (actor === undefined) return;
  const ids = await readIds(db, merge);
  checkSame(actor, merge, ids);
  const own = partsOver(actor, ids.survivor);
  const limited = await readLimited(db, [...ids.duplicateAlone]);
  const given = limited.flatMap((holder) => {
    const named = { rights: holder.rights.filter(({ officeIds }) => officeIds !== null) };
    return without(partsOver(named, ids.duplicateAlone), partsOver(holder, ids.survivor), own);
  });
  if (given.length === 0) return;
  const detail =
    `Keys, people or webhooks restricted to ${duplicateId} would get rights over ${survivorId} that you don't have: ` +
    `${listed(given)}.`;
  throw new RosterError('insufficient_scope', detail);
}

/** Needs equal rights over both offices after the merge was undone. Throws `insufficient_scope`. */
export async function checkUnmergeRights(db: Kysely<Database>, merge: OfficeMerge): Promise<void> {
  const actor = await readActor(db, merge.actorId);
  if (actor !== undefined) checkSame(actor, merge, await readIds(db, merge));
}
