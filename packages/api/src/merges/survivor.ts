import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { definitions } from '../directory.ts';
import { RosterError } from '../errors/roster-error.ts';
import { findRecord } from '../resources/list/find-record.ts';
import type { OfficeLimit } from '../resources/office-limit.ts';
import { findSurvivorId } from './repository.ts';

interface Reader {
  db: Kysely<Database>;
  limit: OfficeLimit | undefined;
}

/** The error for a record that is not there: `record_merged` if it was merged into one that the caller may see, else the same. */
async function mergedError({ db, limit }: Reader, error: unknown): Promise<unknown> {
  if (!(error instanceof RosterError) || error.missing === undefined) return error;
  const { table, id } = error.missing;
  const resource = definitions.find((definition) => definition.table === table);
  const mergedInto = resource && (await findSurvivorId(db, id));
  if (resource === undefined || mergedInto === undefined) return error;
  if ((await findRecord(db, resource, { id: mergedInto, limit })) === undefined) return error;
  const detail = `The ${table} ${id} was merged into ${mergedInto}: use that one.`;
  return new RosterError('record_merged', detail, { mergedInto, cause: error });
}

/**
 * Runs a call, and says of a record that is not there because it was merged into another one into which one. Only then it asks the
 * database something more.
 */
export async function withSurvivor<Result extends { ok: boolean; error?: unknown }>(
  reader: Reader,
  run: () => Promise<Result>,
): Promise<Result> {
  const result = await run().catch(async (thrown: unknown) => {
    throw await mergedError(reader, thrown);
  });
  if (result.ok) return result;
  const error = await mergedError(reader, result.error);
  // Another error stays what it is: a result that the middlewares around this one read.
  if (error === result.error) return result;
  throw error;
}
