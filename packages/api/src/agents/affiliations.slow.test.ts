import { createTestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { affiliatedWith, ana, officesOf, useAffiliations } from '../../test/support/affiliation-scene.ts';
import { callerIn } from '../../test/support/caller.ts';

const { caller, newOffices, derivedOf } = useAffiliations();

describe('an inactive office', () => {
  it('ends the affiliations with it if it is deactivated with cascade, each with one event', async () => {
    // Made by the database itself, without events.
    await using plain = await createTestDatabase();
    const caller = callerIn(plain.db);
    const offices = await Promise.all([1, 2].map(() => caller.offices.create({ name: 'Casa' })));
    const [office = '', other = ''] = offices.map(({ id }) => id);
    await sql`
      insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, affiliations)
      select gen_random_uuid(), now(), now(), now(), 'Ana', n::text, ${JSON.stringify(
        [office, other].map((officeId) => ({ officeId, title: null, isVisible: true, since: null })),
      )}::jsonb from generate_series(1, 700) as n`.execute(plain.db);
    const { id } = await caller.agents.create({ ...ana, officeId: office });
    await caller.offices.deactivate({ id: office, cascade: true, reason: 'Closed' });
    expect((await caller.agents.get({ id })).status).toBe('inactive');
    const { items, total } = await caller.agents.list({ officeId: other, includeTotal: true, limit: 1 });
    expect(total).toBe(700);
    expect(items[0]).toMatchObject({ status: 'active', version: 2, affiliations: [{ officeId: other }] });
    expect((await caller.agents.list({ officeId: office })).items.map((agent) => agent.id)).toEqual([id]);
    const { rows } = await sql<{ events: number; largest: number }>`
      with ended as (
        select xmin::text as transaction from event
        where type = 'agent.updated' and reason = 'Closed' and subject_id in (
          select agent_id from agent_affiliation where affiliated_office_id = ${other}
        )
      )
      select count(*)::int as events,
        (select max(count)::int from (select count(*) from ended group by transaction) as sizes) as largest
      from ended`.execute(plain.db);
    expect(rows[0]).toEqual({ events: 700, largest: 500 });
  });
});

describe('the derived table', () => {
  it('has the affiliations of all agents after any changes at once, and none with the primary office', async () => {
    const offices = await newOffices(4);
    const agents = await Promise.all([1, 2, 3].map(() => caller().agents.create(ana)));
    const office = fc.constantFrom(...offices);
    const change = fc.oneof(
      fc.record({ officeId: fc.option(office) }),
      fc.uniqueArray(office).map((ids) => affiliatedWith(...ids)),
      fc.record({
        officeId: office,
        affiliations: fc.uniqueArray(office).map((ids) => affiliatedWith(...ids).affiliations),
      }),
    );
    const changes = fc.array(fc.tuple(fc.nat(2), change), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        await Promise.allSettled(
          all.map(([index, fields]) => caller().agents.update({ id: agents[index]?.id ?? '', ...fields })),
        );
        for (const { id } of agents) {
          const agent = await caller().agents.get({ id });
          expect(await derivedOf(id)).toEqual(officesOf(agent).sort());
          expect(officesOf(agent)).not.toContain(agent.officeId);
        }
      }),
      { numRuns: 40 },
    );
  });
});
