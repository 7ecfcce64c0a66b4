import { withDisconnectCheck } from '@roster/db';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type AgentQuery, useSearch } from '../../../test/support/query/search-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { folded } from '../sameness/folding.ts';
import { loadVocabulary } from './vocabulary.ts';

const { database, caller, find } = useSearch();

const namesOf = async (query: AgentQuery) =>
  (await find(query)).items.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
const joaos = ['João Figueiredo', 'Joao Figueira'];

describe('a search', () => {
  it.each(['joao', 'João', 'JOÃO', 'joa\u0303o', 'joã'])(
    'for %s finds names with accents and without',
    async (q) => {
      expect(await namesOf({ q })).toEqual(joaos);
    },
  );

  it.each([
    ['sorensen', 'Mariana Sørensen'],
    ['lukasz', 'Susana Łukasz'],
    ['παπαδοπουλοσ', 'Παπαδόπουλος Οδυσσέας'],
    ['evora joao', 'João Figueiredo'],
  ])('for %s finds %s', async (q, name) => {
    expect(await namesOf({ q })).toEqual([name]);
  });

  it('finds a row that another release has written, with accents alone, by the word as it is', async () => {
    const { id } = await caller().agents.create({ firstName: 'Zé', lastName: 'Conceição' });
    await database()
      .db.transaction()
      .execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        await sql`update agent set search_text = 'ZÉ CONCEIÇÃO', record_shape = 1 where id = ${id}`.execute(
          trx,
        );
      });
    expect(await namesOf({ q: 'conceição' })).toEqual(['Zé Conceição']);
    await caller().agents.update({ id, title: 'Broker' });
    expect(await namesOf({ q: 'conceicao ze' })).toEqual(['Zé Conceição']);
    await caller().agents.delete({ id });
  });

  it('finds words that records are known to have as a whole, not by their rarest letters alone', async () => {
    const vocabulary = await loadVocabulary(database().db, 'agent');
    const rarest = vocabulary.rarestIn('FIGUEIREDO');
    const { id } = await caller().agents.create({ firstName: 'Ana', lastName: `Fi${rarest}edo` });
    const found = await namesOf({ q: 'figueiredo ana' });
    await caller().agents.delete({ id });
    expect(found).toEqual(['Ana Figueiredo']);
  });
});

describe('a search for words that no record has', () => {
  it.each([
    ['figueredo', ['João Figueiredo', 'Ana Figueiredo']],
    ['figeredo', ['João Figueiredo', 'Ana Figueiredo']],
    ['figueirdo ana', ['Ana Figueiredo']],
    ['figueireod', ['João Figueiredo', 'Ana Figueiredo']],
    ['xigueiredo', ['João Figueiredo', 'Ana Figueiredo']],
    ['lisbao', ['Ana Figueiredo']],
    ['sörensen', ['Mariana Sørensen']],
    ['sorenson', ['Mariana Sørensen']],
    ['marinaa', ['Mariana Sørensen']],
  ])('finds similar ones: %s', async (q, names) => {
    const page = await find({ q, includeTotal: true });
    expect(await namesOf({ q })).toEqual(names);
    expect(page.total).toBe(names.length);
    expect(page.isSimilar === true).toBe(!['sörensen'].includes(q));
  });

  it.each(['xyzxyzxyz', 'figxxxxxx', '12345678', 'anb', 'fi@ueiredo'])('finds nothing like %s', async (q) => {
    expect(await find({ q, includeTotal: true })).toEqual({ items: [], total: 0 });
  });

  it('finds those within the other filters', async () => {
    const { id: officeId } = await caller().offices.create({ name: 'Casa' });
    expect(await find({ q: 'figueredo', officeId })).toEqual({ items: [] });
  });

  it('is one list on all its pages, both ways, also when a record has the word by then', async () => {
    const query: AgentQuery = { q: 'figueredo', limit: 1 };
    const first = await find(query);
    expect(first.items.map(({ firstName }) => firstName)).toEqual(['João']);
    const { id } = await caller().agents.create({ firstName: 'Eva', lastName: 'Figueredo' });
    const second = await find({ ...query, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ firstName: 'Ana' }], isSimilar: true });
    expect(second.nextCursor).toBeUndefined();
    expect((await find({ ...query, cursor: second.prevCursor })).items).toEqual(first.items);
    // Who asks again gets the record alone that has the word.
    expect(await namesOf({ q: 'figueredo' })).toEqual(['Eva Figueredo']);
    await caller().agents.delete({ id });
  });

  it('reads the sample of words once for all requests of a server', async () => {
    const read = () =>
      loadVocabulary(
        withDisconnectCheck(database().db, () => false),
        'agent',
      );
    expect(await read()).toBe(await read());
  });

  it('rejects a cursor whose words are none', async () => {
    const { nextCursor = '' } = await find({ q: 'figueredo', limit: 1 });
    const [value, id, binding, side] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
    for (const similar of [[[{ text: 'a\0', distance: 1 }]], [[{ text: '', distance: 1 }]], 'x', [1]]) {
      const cursor = Buffer.from(JSON.stringify([value, id, binding, side, similar])).toString('base64url');
      expect((await rejected(find({ q: 'figueredo', limit: 1, cursor }))).errorCode).toBe('invalid_cursor');
    }
  });
});

describe('the sort by relevance', () => {
  it('has whole words before beginnings of words before the middle of words, and names before cities', async () => {
    expect(await namesOf({ q: 'ana', sort: 'relevance' })).toEqual([
      'Ana Ana',
      'Ana Figueiredo',
      'Mariana Sørensen',
      'Susana Łukasz',
      'Rui Santana',
    ]);
  });

  it('pages both ways, for every size of a page, also with similar words and expanded', async () => {
    for (const q of ['ana', 'a', 'figueredo']) {
      for (const expand of [undefined, 'office'] as const) {
        const query: AgentQuery = { q, sort: 'relevance', ...(expand && { expand }) };
        const whole = (await find(query)).items.map(({ id }) => id);
        expect(whole.length).toBeGreaterThan(1);
        for (const limit of [1, 2, 3]) {
          const pages = [await find({ ...query, limit })];
          for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
            pages.push(await find({ ...query, limit, cursor }));
          expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(whole);
          const back = [pages.at(-1)];
          for (let cursor = back[0]?.prevCursor; cursor !== undefined; cursor = back[0]?.prevCursor)
            back.unshift(await find({ ...query, limit, cursor }));
          expect(back.flatMap((page) => page?.items.map(({ id }) => id) ?? [])).toEqual(whole);
        }
      }
    }
  });

  it.each<[AgentQuery, string]>([
    [{ sort: 'relevance' }, 'sort'],
    [{ sort: 'relevance', q: 'ana', startAt: '3' }, 'startAt'],
  ])('belongs to a search: %j', async (query, parameter) => {
    const error = await rejected(caller().agents.list(query));
    expect(error.errorCode).toBe('invalid_parameter');
    expect(error.errors).toMatchObject([{ parameter, code: 'not_allowed' }]);
  });
});

describe('highlights', () => {
  it('say for each item where the words, or the similar ones, are', async () => {
    const textsOf = async (query: AgentQuery) => {
      const { items, highlights = [] } = await find({ ...query, highlight: true });
      expect(highlights).toHaveLength(items.length);
      return highlights.map((found, index) =>
        found.map(({ field, start, end }) => {
          const item = items[index];
          const values: Record<string, unknown> = { ...item, 'address.city': item?.address?.city };
          return `${field} ${String(values[field]).slice(start, end)}`;
        }),
      );
    };
    expect(await textsOf({ q: 'joao evora' })).toEqual([
      ['firstName João', 'displayName João', 'address.city Évora'],
    ]);
    expect(await textsOf({ q: 'figueredo lisboa' })).toEqual([
      ['lastName Figueiredo', 'displayName Figueiredo', 'address.city Lisboa'],
    ]);
  });

  it('are there only if they are asked for, and change no item', async () => {
    const { highlights, ...page } = await find({ q: 'joao', highlight: true });
    expect(highlights).toHaveLength(2);
    expect(page).toEqual(await find({ q: 'joao' }));
    expect(await find({ q: 'joao', highlight: false })).toEqual(page);
    const { items } = page;
    const withoutSearch = await find({ ids: items.map(({ id }) => id), highlight: true });
    expect(withoutSearch).toEqual({ items, highlights: [[], []] });
  });

  it('contain the words of the search in each record that has them', async () => {
    const { items, highlights = [] } = await find({ q: 'ana', highlight: true });
    expect(items.length).toBeGreaterThan(3);
    for (const [index, found] of highlights.entries()) {
      expect(found.length, items[index]?.displayName).toBeGreaterThan(0);
      for (const { field, start, end } of found) {
        const value =
          field === 'address.city' ? items[index]?.address?.city : items[index]?.[field as 'lastName'];
        expect(folded(String(value).slice(start, end))).toContain('ANA');
      }
    }
  });
});
