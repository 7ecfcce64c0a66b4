import type { Kysely } from 'kysely';
import { buildIndex } from './concurrent-index.ts';

export const isConcurrent = true;

/** The events of agents that were changed with the deactivation of an office, by the office: what a reactivation takes back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(
    db,
    'event_cascade_idx',
    `event ((details ->> 'cascadeOfficeId'), id) where details ->> 'cascadeOfficeId' is not null`,
  );
}
