import type { Database } from '@roster/db';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { errorCodeOf, rejected } from '../../../test/support/rejected.ts';

const sorts = [
  ...(['lastName', '-lastName', 'firstName', '-firstName'] as const),
  ...(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const),
];
type Sort = (typeof sorts)[number];
type Query = NonNullable<Parameters<Caller['agents']['list']>[0]>;
type Page = Awaited<ReturnType<Caller['agents']['list']>>;

const columns: Record<string, string> = {
  lastName: 'last_name',
  firstName: 'first_name',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};
const NAMES = ['Reis', 'reis', 'Réis', 'Ágata', 'Agata', 'Žižek', '田中', "O'Neil", 'a b'];
const START = Date.parse('2026-01-31T08:00:00Z');
/** Three agents for each minute, so that times repeat as names do. */
const timeOf = (count: number) => new Date(START + Math.floor(count / 3) * 60_000);

let database: TestDatabase;
let db: Kysely<Database>;
let caller: Caller;
let created = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  caller = callerIn(db, { now: () => timeOf(created) });
  for (let count = 0; count < 45; count += 1) await create();
});
afterAll(() => database[Symbol.asyncDispose]());

async function create(): Promise<string> {
  const lastName = `${NAMES[created % NAMES.length]}`;
  const { id } = await caller.agents.create({
    firstName: `${NAMES[Math.floor(created / NAMES.length) % 3]}`,
    lastName,
    ...(created % 2 === 0 && { email: `a${created}@x.example` }),
  });
  created += 1;
  return id;
}

const idsOf = ({ items }: Page) => items.map(({ id }) => id);

/** Pages from the one a query gives, in one direction, to the end. */
async function pagesFrom(
  query: Query,
  direction: 'nextCursor' | 'prevCursor',
  first?: Page,
): Promise<Page[]> {
  const pages = [first ?? (await caller.agents.list(query))];
  for (let cursor = pages[0]?.[direction]; cursor !== undefined; cursor = pages.at(-1)?.[direction]) {
    pages.push(await caller.agents.list({ ...query, cursor }));
    expect(pages.length).toBeLessThan(200);
  }
  return pages;
}

const wholeList = async (query: Query) => idsOf(await caller.agents.list({ ...query, limit: 200 }));
const sort = fc.constantFrom<Sort>(...sorts);
const limit = fc.integer({ min: 1, max: 20 });

describe('pages', () => {
  it('forward, and then backward from the last one, are the whole list each, for every sort and size', async () => {
    await fc.assert(
      fc.asyncProperty(sort, limit, fc.boolean(), async (sort, limit, isFiltered) => {
        const query: Query = { sort, limit, ...(isFiltered && { empty: 'email' }) };
        const whole = await wholeList(query);
        const forward = await pagesFrom(query, 'nextCursor');
        expect(forward.flatMap(idsOf)).toEqual(whole);
        const last = forward.at(-1);
        const backward = await pagesFrom(query, 'prevCursor', last);
        expect(backward.reverse().flatMap(idsOf)).toEqual(whole);
        expect(forward[0]?.prevCursor).toBeUndefined();
        expect(backward[0]?.prevCursor).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it('are the same records however often the direction turns', async () => {
    await fc.assert(
      fc.asyncProperty(
        sort,
        limit,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        async (sort, limit, turns) => {
          const whole = await wholeList({ sort });
          let page = await caller.agents.list({ sort, limit });
          for (const isForward of turns) {
            const cursor = isForward ? page.nextCursor : page.prevCursor;
            if (cursor === undefined) continue;
            const from = whole.indexOf(String(isForward ? page.items.at(-1)?.id : page.items[0]?.id));
            page = await caller.agents.list({ sort, limit, cursor });
            const expected = isForward
              ? whole.slice(from + 1, from + 1 + limit)
              : whole.slice(Math.max(0, from - limit), from);
            expect(idsOf(page)).toEqual(expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each(sorts)(
    'by %s have every record that stays exactly once, both ways, while others come and go',
    async (sort) => {
      const stayed = new Set(await wholeList({ sort }));
      const temporary: string[] = [];
      const change = async () => {
        temporary.push(await create());
        const gone = temporary.length % 2 === 0 ? temporary[temporary.length - 2] : undefined;
        if (gone !== undefined) await caller.agents.delete({ id: gone });
      };
      for (const direction of ['nextCursor', 'prevCursor'] as const) {
        let page: Page | undefined = await caller.agents.list({ sort, limit: 7 });
        if (direction === 'prevCursor') page = (await pagesFrom({ sort, limit: 7 }, 'nextCursor')).at(-1);
        const seen: string[] = [];
        while (page !== undefined) {
          const ids = idsOf(page);
          if (direction === 'nextCursor') seen.push(...ids);
          else seen.unshift(...ids);
          await change();
          const cursor: string | undefined = page[direction];
          page = cursor === undefined ? undefined : await caller.agents.list({ sort, limit: 7, cursor });
        }
        const now = await wholeList({ sort });
        expect(seen.filter((id) => stayed.has(id))).toEqual(now.filter((id) => stayed.has(id)));
      }
      expect(temporary.length).toBeGreaterThan(10);
      const left = new Set(await wholeList({ sort }));
      for (const id of temporary) if (left.has(id)) await caller.agents.delete({ id });
    },
  );

  it('that became empty lead back to the records on the other side', async () => {
    const ids = [await create(), await create()].sort();
    const query: Query = { ids, limit: 1, sort: 'createdAt' };
    const first = await caller.agents.list(query);
    await caller.agents.delete({ id: `${ids[1]}` });
    const empty = await caller.agents.list({ ...query, cursor: first.nextCursor });
    expect(empty).toEqual({ items: [], prevCursor: expect.any(String) });
    const back = await caller.agents.list({ ...query, cursor: empty.prevCursor });
    expect(idsOf(back)).toEqual([ids[0]]);
    expect(back.prevCursor).toBeUndefined();
    await caller.agents.delete({ id: `${ids[0]}` });
    const emptyBefore = await caller.agents.list({ ...query, cursor: empty.prevCursor });
    expect(emptyBefore).toEqual({ items: [], nextCursor: expect.any(String) });
    expect(idsOf(await caller.agents.list({ ...query, cursor: emptyBefore.nextCursor }))).toEqual([]);
  });
});

describe('startAt', () => {
  const name = fc.oneof(
    fc.constantFrom(...NAMES),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).filter((text) => text.trim() !== ''),
  );
  const time = fc
    .integer({ min: -3, max: 20 })
    .chain((minute) =>
      fc.constantFrom(0, 1, 59_999).map((ms) => new Date(START + minute * 60_000 + ms).toISOString()),
    );
  const sortAndValue = sort.chain((sort) => fc.tuple(fc.constant(sort), sort.endsWith('Name') ? name : time));

  it('at any value begins with what a filter of the whole list begins with, and has a page before if anything is', async () => {
    await fc.assert(
      fc.asyncProperty(sortAndValue, limit, async ([sort, value], limit) => {
        const column = sql.ref(String(columns[sort.replace('-', '')]));
        const type = sql.raw(sort.endsWith('Name') ? 'text' : 'timestamptz');
        const comparison = sql.raw(sort.startsWith('-') ? '<=' : '>=');
        const { rows } = await sql<{ id: string }>`
          select id from agent where ${column} ${comparison} ${value.trim()}::${type}`.execute(db);
        const matching = new Set(rows.map(({ id }) => id));
        const whole = await wholeList({ sort });
        const query: Query = { sort, limit, startAt: value };
        const forward = await pagesFrom(query, 'nextCursor');
        expect(forward.flatMap(idsOf)).toEqual(whole.filter((id) => matching.has(id)));
        const [first] = forward;
        expect(first?.prevCursor !== undefined).toBe(matching.size < whole.length);
        const backward = await pagesFrom(query, 'prevCursor', first);
        expect(backward.slice(1).reverse().flatMap(idsOf)).toEqual(whole.filter((id) => !matching.has(id)));
      }),
      { numRuns: 80 },
    );
  });

  it('counts and filters as without it', async () => {
    const query: Query = { empty: 'email', sort: 'createdAt', includeTotal: true };
    const { total, items } = await caller.agents.list({ ...query, startAt: timeOf(30).toISOString() });
    expect(total).toBe((await caller.agents.list(query)).total);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ email }) => email === null)).toBe(true);
  });

  it('belongs to the cursor, as the filters do', async () => {
    const query: Query = { sort: 'lastName', limit: 1, startAt: 'R' };
    const { nextCursor } = await caller.agents.list(query);
    const other = await rejected(caller.agents.list({ ...query, startAt: 'S', cursor: nextCursor }));
    expect(errorCodeOf(other)).toBe('cursor_mismatch');
  });

  it('must be a time if the list is sorted by time', async () => {
    for (const startAt of ['Reis', '2026-01-31', '0000-01-01T00:00:00Z']) {
      const error = await rejected(caller.agents.list({ startAt }));
      expect(error.errorCode).toBe('invalid_parameter');
      expect(error.errors).toMatchObject([{ parameter: 'startAt', code: 'invalid_format' }]);
    }
  });

  it('begins every list with pages', async () => {
    const { id } = await caller.webhooks.create({ url: 'https://m.example/hook' });
    await caller.webhooks.create({ url: 'https://a.example/hook' });
    const page = await caller.webhooks.list({ sort: 'url', startAt: 'https://b' });
    expect(page).toMatchObject({ items: [{ id }], prevCursor: expect.any(String) });
    const now = new Date(Date.now() + 60_000).toISOString();
    expect(await caller.webhooks.deliveries({ id, startAt: now })).toEqual({ items: [] });
    await caller.keys.create({ name: 'Zoe', scopes: ['agents:read'] });
    const keys = await caller.keys.list({ sort: 'name', startAt: 'Z' });
    expect(keys.items.map(({ name }) => name)).toEqual(['Zoe']);
  });
});

describe('the direction of an infinite query', () => {
  it('is that of the cursor, and backward needs a prevCursor', async () => {
    const query: Query = { sort: 'lastName', limit: 2 };
    const first = await caller.agents.list({ ...query, direction: 'forward' });
    const second = await caller.agents.list({ ...query, direction: 'forward', cursor: first.nextCursor });
    const backward: Query = { ...query, cursor: second.prevCursor };
    expect(idsOf(await caller.agents.list({ ...backward, direction: 'backward' }))).toEqual(idsOf(first));
    expect(idsOf(await caller.agents.list({ ...backward, direction: 'forward' }))).toEqual(idsOf(first));
    for (const cursor of [first.nextCursor, undefined]) {
      const error = await rejected(caller.agents.list({ ...query, cursor, direction: 'backward' }));
      expect(errorCodeOf(error)).toBe('invalid_cursor');
    }
  });
});
