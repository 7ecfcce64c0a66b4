import type { Database } from '@roster/db';
import { TRPCError } from '@trpc/server';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { definitions } from '../directory/registry.ts';
import { findRecord } from '../engine/list/find-record.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { type NamedRecord, RosterError } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';

interface Reader {
  db: Kysely<Database>;
  limit: OfficeLimit | undefined;
}

export async function findSurvivorId(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const survivor = db.selectNoFrom(sql<string | null>`merged_into(${id}::uuid)`.as('id'));
  return (await survivor.executeTakeFirst())?.id ?? undefined;
}

async function isSeen({ db, limit }: Reader, { table, id }: NamedRecord): Promise<boolean> {
  const resource = definitions.find((definition) => definition.table === table);
  return resource !== undefined && (await findRecord(db, resource, { id, limit })) !== undefined;
}

/** `record_merged` if the record was merged into one the caller may see, else the given error. */
async function missingError(
  reader: Reader,
  error: RosterError,
  { table, id }: NamedRecord,
): Promise<unknown> {
  const mergedInto = await findSurvivorId(reader.db, id);
  if (mergedInto === undefined || !(await isSeen(reader, { table, id: mergedInto }))) return error;
  const detail = `The ${table} ${id} was merged into ${mergedInto}: use that one.`;
  return new RosterError('record_merged', detail, { mergedInto, cause: error });
}

async function heldError(reader: Reader, error: RosterError, heldBy: NamedRecord): Promise<unknown> {
  if (!(await isSeen(reader, heldBy))) return error;
  const { table, id: mergedInto } = heldBy;
  const says = `is in use by a record that was merged into the ${table} ${mergedInto}: use that one`;
  const errors = error.errors?.map((one) => ({ ...one, detail: says }));
  const [field] = errors ?? [];
  const detail = `${field?.pointer?.slice(2) ?? 'A value'} ${says}.`;
  return new RosterError(error.errorCode, detail, {
    ...(errors && { errors }),
    mergedInto,
    cause: error.cause,
  });
}

/** Adds the survivor to an error about a record that was merged. Queries the database only for such an error. */
export async function withSurvivor(reader: Reader, error: unknown): Promise<unknown> {
  // An invalid input is about no record, and may have many errors to describe.
  if (error instanceof TRPCError && error.cause instanceof z.ZodError) return error;
  const known = toRosterError(error);
  if (known.missing !== undefined) return missingError(reader, known, known.missing);
  return known.heldBy === undefined ? error : heldError(reader, known, known.heldBy);
}
