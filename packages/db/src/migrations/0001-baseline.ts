import { type Kysely, sql } from 'kysely';
import { domainStatements } from './baseline/domains.ts';
import { events } from './baseline/events.ts';
import { identity } from './baseline/identity.ts';
import { jobs } from './baseline/jobs.ts';
import { mergesAndDuplicates } from './baseline/merges-and-duplicates.ts';
import { officesAndAgents } from './baseline/offices-and-agents.ts';
import { service } from './baseline/service.ts';
import { webhooks } from './baseline/webhooks.ts';

/** Everything that the database of 0.1.0 has, but for the functions that build the JSON of records: those are repeatable. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    domainStatements,
    officesAndAgents,
    events,
    mergesAndDuplicates,
    jobs,
    webhooks,
    identity,
    service,
  ].flat();
  for (const statement of statements) await sql.raw(statement).execute(db);
}
