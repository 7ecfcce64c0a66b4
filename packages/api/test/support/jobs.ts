import type { Database } from '@roster/db';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { type BatchOptions, runNextBatch } from '../../src/jobs/batches.ts';
import type { Job } from '../../src/jobs/schemas.ts';
import type { Caller } from './caller.ts';

const options: BatchOptions = {
  now: () => new Date(),
  retentionDays: 30,
  defaultCountry: 'US',
  runImport: async () => {
    throw new Error('This database has no import.');
  },
};

/** Runs the next batch as the worker of a server does. */
export function runBatch(db: Kysely<Database>): Promise<boolean> {
  return runNextBatch(db, options);
}

/** Runs all jobs to their end. */
export async function runJobs(db: Kysely<Database>): Promise<void> {
  while (await runBatch(db));
}

/** The job that a call accepted; throws if it returned anything else. */
export function jobOf(response: object): Job {
  if (!('id' in response)) throw new Error(`no job: ${JSON.stringify(response)}`);
  return response as Job;
}

/** Accepts a change of all agents that a filter selects, as many as there are. */
export async function acceptBulk(
  { agents: { bulk } }: Caller,
  request: Pick<
    Parameters<Caller['agents']['bulk']>[0],
    'filter' | 'change' | 'reason' | 'effectiveAt' | 'effectiveOn'
  >,
): Promise<Job> {
  const preview = await bulk({ ...request, dryRun: true });
  if (!('count' in preview)) throw new Error('a dry run returns a preview');
  return jobOf(await bulk({ ...request, expectedCount: preview.count }));
}

/** A new office with some agents, and the filter that selects them. */
export async function officeWith({ offices, agents }: Caller, count: number) {
  const office = await offices.create({ name: 'Baixa' });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await agents.create({ firstName: `F${n}`, lastName: `L${n}`, officeId: office.id });
    ids.push(id);
  }
  return { office, ids, filter: { officeId: [office.id] } };
}

/** What the events of a job say of it, in the order in which they were inserted. */
export async function eventsOf(db: Kysely<Database>, jobId: string) {
  const { rows } = await sql<{ type: string; reason: string | null; details: object }>`
    select type, reason, details from event where details ->> 'bulkId' = ${jobId} order by id`.execute(db);
  return rows;
}

/** Divides the records of a job that has not begun into batches of another size: a job of few records takes several. */
export async function splitBatches(db: Kysely<Database>, jobId: string, size: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      with old as (delete from job_batch where job_id = ${jobId} returning number, ids),
      placed as (
        select id, row_number() over (order by number, place) - 1 as place
        from old, unnest(ids) with ordinality as one (id, place)
      ), batch as (
        select place / ${size}::int as number, array_agg(id order by place) as ids from placed group by 1
      )
      insert into job_batch (job_id, number, ids) select ${jobId}::uuid, number, ids from batch`.execute(trx);
    await sql`
      update job set batches = (select count(*) from job_batch where job_id = ${jobId}) where id = ${jobId}`.execute(
      trx,
    );
  });
}

/**
 * The database as a server has it whose connection is lost after so many statements of a transaction: the statement was run, its
 * result never arrives, and PostgreSQL rolls the transaction back.
 */
export function lostAfter(db: Kysely<Database>, statements: number): Kysely<Database> {
  return failing(db, { after: statements, failures: Number.POSITIVE_INFINITY, code: '57P01' });
}

/** The database as a server has it whose statement waits too long for a lock, after so many statements; the next ones are run. */
export function lockedAfter(db: Kysely<Database>, statements: number): Kysely<Database> {
  return failing(db, { after: statements, failures: 1, code: '55P03' });
}

function failing(
  db: Kysely<Database>,
  { after, failures, code }: { after: number; failures: number; code: string },
): Kysely<Database> {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count += 1;
      if (count <= after || count > after + failures) return result;
      throw Object.assign(new Error('a statement failed'), { code });
    },
  };
  return db.withPlugin(plugin);
}
