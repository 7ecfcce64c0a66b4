import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { definitions } from '../../src/directory/registry.ts';
import { beginComparison, compareSome } from '../../src/duplicates/worker.ts';
import { assignPositions } from '../../src/log/sequencer.ts';

/** Compares all records that are not compared yet. */
export async function compareAll(db: Kysely<Database>): Promise<void> {
  await assignPositions(db);
  for (const resource of definitions) await beginComparison(db, resource);
  while ((await compareSome(db, { now: new Date() })).some((left) => left !== 'none'));
}
