import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { acceptBulk, eventsOf, jobOf, officeWith, runJobs } from '../../../test/support/jobs.ts';
import { fieldErrorsOf, rejected } from '../../../test/support/rejected.ts';
import { useDatabase } from '../../../test/support/use-database.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

describe('a filter', () => {
  it.each([{ filter: {} }, { filter: { status: undefined } }])(
    'that selects all records is rejected unless it says so: %j',
    async ({ filter }) => {
      const error = await rejected(
        caller().agents.bulk({ filter, change: { type: 'delete' }, dryRun: true }),
      );
      expect(error.errorCode).toBe('validation_failed');
      expect(fieldErrorsOf(error)).toEqual(['#/filter not_allowed']);
    },
  );

  it('that selects all records has no other filter', async () => {
    const filter = { all: true as const, status: ['active' as const] };
    const error = await rejected(caller().agents.bulk({ filter, change: { type: 'delete' }, dryRun: true }));
    expect(fieldErrorsOf(error)).toEqual(['#/filter/all not_allowed']);
  });

  it('selects the records that the list has with it', async () => {
    const { filter } = await officeWith(caller(), 3);
    const all = { ...filter, q: 'f1' };
    const preview = await caller().agents.bulk({ filter: all, change: { type: 'deactivate' }, dryRun: true });
    const list = await caller().agents.list({ ...all, includeTotal: true });
    expect(preview).toMatchObject({ count: list.total, samples: [{ id: list.items[0]?.id }] });
  });

  it('selects all records if it says so', async () => {
    const { total } = await caller().agents.list({ includeTotal: true, limit: 1 });
    const preview = await caller().agents.bulk({
      filter: { all: true },
      change: { type: 'deactivate' },
      dryRun: true,
    });
    expect(preview).toMatchObject({ count: total });
  });
});

describe('a change', () => {
  it('needs the expected number, and is rejected with the real one if it differs', async () => {
    const { filter } = await officeWith(caller(), 2);
    const request = { filter, change: { type: 'deactivate' as const } };
    expect(fieldErrorsOf(await rejected(caller().agents.bulk(request)))).toEqual([
      '#/expectedCount required',
    ]);
    const error = await rejected(caller().agents.bulk({ ...request, expectedCount: 3 }));
    expect(error).toMatchObject({ errorCode: 'count_mismatch', actualCount: 2, status: 409 });
    const { rows } =
      await sql`select from job where filter ->> 'officeId' like ${`%${filter.officeId[0]}%`}`.execute(
        database().db,
      );
    expect(rows).toEqual([]);
  });

  it.each([
    [{ type: 'rename' }, ['#/change/type invalid_choice']],
    [{ type: 'update', patch: {} }, ['#/change/patch required']],
    [{ type: 'update', patch: { status: 'inactive' } }, ['#/change/patch/status read_only']],
    [{ type: 'deactivate', cascade: true }, ['#/change/cascade unknown_field']],
    [{ type: 'transfer' }, ['#/change/officeId required']],
  ])('that is not valid is rejected with its place: %j', async (change, errors) => {
    const bulk = caller().agents.bulk as (input: object) => Promise<object>;
    const error = await rejected(bulk({ filter: { all: true }, change, dryRun: true }));
    expect(fieldErrorsOf(error)).toEqual(errors);
  });

  it('of offices is no transfer', async () => {
    const bulk = caller().offices.bulk as (input: object) => Promise<object>;
    const change = { type: 'transfer', officeId: crypto.randomUUID() };
    const error = await rejected(bulk({ filter: { all: true }, change, dryRun: true }));
    expect(fieldErrorsOf(error)).toEqual(['#/change/type invalid_choice']);
  });

  it('applies to the records that matched when it was accepted, and to no others', async () => {
    const { office, ids, filter } = await officeWith(caller(), 2);
    await acceptBulk(caller(), { filter, change: { type: 'update', patch: { title: 'Broker' } } });
    const late = await caller().agents.create({ firstName: 'Late', lastName: 'Reis', officeId: office.id });
    await caller().agents.update({ id: ids[0] ?? '', officeId: null });
    await runJobs(database().db);
    expect((await caller().agents.get({ id: late.id })).title).toBeNull();
    for (const id of ids) expect((await caller().agents.get({ id })).title).toBe('Broker');
  });

  it('writes one event for each record, with the job, its reason and its caller', async () => {
    const { filter } = await officeWith(caller(), 3);
    const { id } = await acceptBulk(caller(), { filter, change: { type: 'deactivate' }, reason: 'Closing' });
    await runJobs(database().db);
    expect(await eventsOf(database().db, id)).toEqual(
      Array.from({ length: 3 }, () => ({
        type: 'agent.deactivated',
        reason: 'Closing',
        details: { bulkId: id },
      })),
    );
    expect(await caller().jobs.get({ id })).toMatchObject({
      status: 'completed',
      total: 3,
      processed: 3,
      changed: 3,
      createdBy: { name: 'ROSTER_ADMIN_KEY' },
      change: { type: 'deactivate' },
      reason: 'Closing',
    });
  });

  it('that writes no column leaves every record unchanged', async () => {
    const { ids, filter } = await officeWith(caller(), 2);
    const change = { type: 'update' as const, patch: { address: {} } };
    const preview = await caller().agents.bulk({ filter, change, dryRun: true });
    expect(preview).toMatchObject({ count: 2, changed: 0, unchanged: 2, rejected: 0 });
    const job = await acceptBulk(caller(), { filter, change });
    await caller().agents.delete({ id: ids[0] ?? '' });
    await runJobs(database().db);
    expect(await caller().jobs.get({ id: job.id })).toMatchObject({
      status: 'completed_with_errors',
      changed: 0,
      unchanged: 1,
      rejected: 1,
    });
  });

  it('of no records is completed at once', async () => {
    const job = jobOf(
      await caller().agents.bulk({
        filter: { mlsId: ['none'] },
        change: { type: 'delete' },
        expectedCount: 0,
      }),
    );
    expect(job).toMatchObject({ status: 'completed', total: 0, undoneBy: null });
    expect(job.finishedAt).not.toBeNull();
  });

  it('rejects the records that a rule rejects, and changes the others', async () => {
    const { ids, filter } = await officeWith(caller(), 5);
    const [first = '', second = '', third = ''] = ids;
    await caller().agents.update({ id: second, assistantToAgentId: first });
    await caller().offices.create({ name: 'Managed', managerAgentId: third });
    const job = await acceptBulk(caller(), { filter, change: { type: 'delete' } });
    await caller().agents.delete({ id: ids[4] ?? '' });
    await runJobs(database().db);
    const done = await caller().jobs.get({ id: job.id });
    expect(done).toMatchObject({ status: 'completed_with_errors', changed: 3, rejected: 2 });
    const detail = 'Other records refer to this agent (managerOf: 1).';
    expect(done.errors).toEqual(
      expect.arrayContaining([
        { id: third, code: 'has_dependents', detail, fields: [] },
        { id: ids[4], code: 'not_found', detail: `No agent has the ID ${ids[4]}.`, fields: [] },
      ]),
    );
  });
});

describe('a dry run', () => {
  it('tells the number, what would change in the first records, and the errors, and changes nothing', async () => {
    const { ids, filter } = await officeWith(caller(), 7);
    await caller().offices.create({ name: 'Managed', managerAgentId: ids[6] ?? '' });
    const change = { type: 'update' as const, patch: { title: 'Broker' } };
    const update = await caller().agents.bulk({ filter, change, dryRun: true });
    expect(update).toMatchObject({ count: 7, checked: 7, changed: 7, unchanged: 0, rejected: 0, errors: [] });
    expect('samples' in update && update.samples).toHaveLength(5);
    expect('samples' in update && update.samples[0]).toEqual({
      id: [...ids].sort()[0],
      name: expect.stringMatching(/^F\d L\d$/),
      changes: [{ field: 'title', from: null, to: 'Broker' }],
    });
    const deletion = await caller().agents.bulk({ filter, change: { type: 'delete' }, dryRun: true });
    expect(deletion).toMatchObject({ count: 7, changed: 6, rejected: 1 });
    expect(deletion.errors).toEqual([
      {
        id: ids[6],
        code: 'has_dependents',
        detail: 'Other records refer to this agent (managerOf: 1).',
        fields: [],
      },
    ]);
    const { items } = await caller().agents.list(filter);
    expect(items.map(({ version, title }) => ({ version, title }))).toEqual(
      Array.from({ length: 7 }, () => ({ version: 1, title: null })),
    );
  });
});
