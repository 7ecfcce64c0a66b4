import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { jobOf, officeWith, runJobs } from '../../../test/support/jobs.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { useDatabase } from '../../../test/support/use-database.ts';
import { creations, ownerMaxOf } from '../../access/creation-limits.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

describe('a change', () => {
  it('is limited to a number of jobs that have not ended, until one has', async () => {
    const { filter } = await officeWith(caller(), 1);
    const jobs: string[] = [];
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from job where finished_at is null`.execute(database().db);
    for (let n = rows[0]?.count ?? 0; n < ownerMaxOf('jobs', creations.jobs.max); n += 1) {
      const job = await caller().agents.bulk({ filter, change: { type: 'deactivate' }, expectedCount: 1 });
      jobs.push(jobOf(job).id);
    }
    const one = { filter, change: { type: 'deactivate' as const }, expectedCount: 1 };
    expect((await rejected(caller().agents.bulk(one))).errorCode).toBe('limit_reached');
    for (const id of jobs) await caller().jobs.cancel({ id });
    expect(jobOf(await caller().agents.bulk(one)).status).toBe('queued');
    await runJobs(database().db);
  });
});

describe('a dry run', () => {
  it('lists every error of the records on which it tried the change', async () => {
    const source = { name: 'Many' };
    const records = Array.from({ length: 130 }, (_, n) => ({
      firstName: 'Ana',
      lastName: 'Reis',
      source: { ...source, key: String(n) },
    }));
    await caller().imports.agents({ records });
    const preview = await caller().agents.bulk({
      filter: { sourceName: [source.name] },
      change: { type: 'update', patch: { email: 'many@roster.example' } },
      dryRun: true,
    });
    expect(preview).toMatchObject({ count: 130, changed: 1, rejected: 129 });
    expect(preview.errors).toHaveLength(129);
    expect(new Set(preview.errors.map(({ code }) => code))).toEqual(new Set(['email_taken']));
  });
});
