import { type Kysely, sql } from 'kysely';
import { callers } from './baseline/callers.ts';
import { duplicates } from './baseline/duplicates.ts';
import { events } from './baseline/events.ts';
import { jobs } from './baseline/jobs.ts';
import { officeRights } from './baseline/office-rights.ts';
import { places } from './baseline/places.ts';
import { recordIndexes } from './baseline/record-indexes.ts';
import { recordTriggers } from './baseline/record-triggers.ts';
import { records } from './baseline/records.ts';
import { values } from './baseline/values.ts';
import { webhooks } from './baseline/webhooks.ts';

const subjects = [
  values,
  records,
  recordIndexes,
  events,
  recordTriggers,
  places,
  callers,
  webhooks,
  jobs,
  duplicates,
  officeRights,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of subjects.flat()) await sql.raw(statement).execute(db);
}
