import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import type { AgentQuery } from '../../../test/support/query/search-scene.ts';
import { RANKED_MAX } from './relevance.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const namesOf = async (query: AgentQuery) => {
  const { items, isSimilar } = await caller.agents.list({ sort: 'createdAt', limit: 200, ...query });
  return isSimilar ? [] : items.map(({ displayName }) => displayName);
};

describe('punctuation', () => {
  const malleys = ["Siobhan O'Malley", 'Niamh O’Malley', 'Sean OMalley', 'Aoife OʼMalley', 'Una O´Malley'];
  const joneses = [
    'Ann Smith-Jones',
    'Bea Smith Jones',
    'Cal Smith‐Jones',
    'Dan Smith – Jones',
    'Eve Smith/Jones',
  ];
  const others = ['Ana Reis', '“Zé” d’Orey', 'St. John', 'Malley O'];
  beforeAll(async () => {
    for (const name of [...malleys, ...joneses, ...others]) {
      const [firstName = '', ...rest] = name.split(' ');
      await caller.agents.create({ firstName, lastName: rest.join(' ') });
    }
  });

  it.each(["o'malley", 'o’malley', 'OMALLEY', 'o´malley', 'o`malley', 'O＇MALLEY'])(
    'within a word does not count: %s',
    async (q) => {
      expect(await namesOf({ q })).toEqual(malleys);
    },
  );

  it.each(['smith-jones', 'Smith Jones', 'smith‐jones', 'smith—jones', 'jones, smith', 'smith-jones;'])(
    'between words separates them: %s',
    async (q) => {
      expect(await namesOf({ q })).toEqual(joneses);
    },
  );

  it.each([
    ['Reis, Ana', 'Ana Reis'],
    ['"Ana Reis"', 'Ana Reis'],
    ['Reis; Ana', 'Ana Reis'],
    ['Reis,Ana', 'Ana Reis'],
    ['(Ana) Reis.', 'Ana Reis'],
    ['Ana.Reis', 'Ana Reis'],
    ['Ana_Reis', 'Ana Reis'],
    ['Ana*', 'Ana Reis'],
    ['*reis*', 'Ana Reis'],
    ["ze d'orey", '“Zé” d’Orey'],
    ['“Zé” d’Orey', '“Zé” d’Orey'],
    ['st john', 'St. John'],
    ['St. John', 'St. John'],
  ])('around words does not count: %s finds %s', async (q, name) => {
    expect(await namesOf({ q })).toEqual([name]);
    expect((await namesOf({ q, sort: 'relevance' }))[0]).toBe(name);
  });

  it.each(["'", '"', '-', ',', '|', '…', '’ —', '.', '%', '_', '\\'])(
    'alone finds nothing, and is no wildcard: %s',
    async (q) => {
      expect(await caller.agents.list({ q, includeTotal: true })).toEqual({ items: [], total: 0 });
      expect(await caller.agents.list({ q, sort: 'relevance' })).toEqual({ items: [] });
      const selected = await caller.agents.bulk({ filter: { q }, change: { type: 'delete' }, dryRun: true });
      expect(selected).toMatchObject({ count: 0 });
    },
  );

  it.each(['zoe.quint@casa-clara.example', 'zoe.quint', 'quint@casa', 'casa-clara.example', '@casa-clara'])(
    'of an email address finds it whole and by part: %s',
    async (q) => {
      const email = 'zoe.quint@casa-clara.example';
      const { id } = await caller.agents.create({ firstName: 'Zoe', lastName: 'Quint', email });
      expect(await namesOf({ q })).toEqual(['Zoe Quint']);
      await caller.agents.delete({ id });
    },
  );

  it('does not count in a bulk job, which selects what the list shows', async () => {
    for (const [q, count] of [
      ["o'malley", malleys.length],
      ['smith-jones', joneses.length],
    ] as const) {
      const selected = await caller.agents.bulk({
        filter: { q },
        change: { type: 'deactivate' },
        dryRun: true,
      });
      expect(selected).toMatchObject({ count });
    }
  });

  it('is highlighted within a match', async () => {
    const { items, highlights = [] } = await caller.agents.list({
      q: "o'malley",
      sort: 'createdAt',
      highlight: true,
    });
    const found = items.map(({ displayName }, index) => {
      const match = highlights[index]?.find(({ field }) => field === 'displayName');
      return displayName.slice(match?.start, match?.end);
    });
    expect(found).toEqual(malleys.map((name) => name.split(' ')[1]));
  });
});

describe('the best matches', () => {
  it('begin with the names that are the search and nothing else, however many records have its words', async () => {
    await sql`
      insert into agent (id, first_name, last_name, created_at, updated_at, status_changed_at)
      select gen_random_uuid(), 'Inês', 'Figueiredo Ferreira', now(), now(), now() from generate_series(1, ${RANKED_MAX + 50}::int)`.execute(
      database.db,
    );
    const { id } = await caller.agents.create({ firstName: 'Inês', lastName: 'Figueiredo' });
    const other = await caller.agents.create({
      firstName: 'I.',
      lastName: 'F.',
      displayName: 'Inês Figueiredo',
    });
    for (const q of ['ines figueiredo', 'Figueiredo, Inês', 'INÊS-FIGUEIREDO']) {
      const page = await caller.agents.list({ q, sort: 'relevance', limit: 3 });
      expect(
        page.items
          .slice(0, 2)
          .map((one) => one.id)
          .sort(),
      ).toEqual([id, other.id].sort());
      const second = await caller.agents.list({ q, sort: 'relevance', limit: 3, cursor: page.nextCursor });
      expect(second.items.map((one) => one.id)).not.toContain(id);
    }
    const page = await caller.agents.list({ q: 'ines figueredo', sort: 'relevance', limit: 2 });
    expect(page).toMatchObject({ isSimilar: true });
    expect(page.items.map((one) => one.id).sort()).toEqual([id, other.id].sort());
  });

  it.each(['offices', 'teams'] as const)('of %s begin with the name that is the search', async (resource) => {
    for (const name of ['Casa Clara', 'Casa Clara Minho', 'Casa', 'A Casa'])
      await caller[resource].create({ name: `${name}` });
    for (const [q, name] of [
      ['casa', 'Casa'],
      ['casa clara', 'Casa Clara'],
    ] as const) {
      const { items } = await caller[resource].list({ q, sort: 'relevance' });
      expect(items[0]?.name).toBe(name);
    }
  });
});
