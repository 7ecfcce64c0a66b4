import { definitions } from '@roster/api/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CollectionName, collections, directoryOf, knownFields, smallest } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const search = async (collection: CollectionName, q: string, more = '') =>
  (await directoryOf(server).list(collection, `limit=200&q=${encodeURIComponent(q)}${more}`)).items.map(
    ({ id }) => id,
  );

/** What is written, and what finds it. */
const scripts: [string, string, string[]][] = [
  ['Latin', 'Größe Ångström Žižkov', ['GRÖSSE', 'größe', 'ångSTRÖM', 'žižk', 'ŽIŽKOV gröss', 'ström']],
  ['Greek', 'Οδυσσέας Παπαδόπουλος', ['ΟΔΥΣΣΈΑΣ', 'οδυσσέας', 'ΌΠΟΥΛΟΣ', 'παπαδόπουλοσ', 'παπ οδυσ']],
  ['Cyrillic', 'Київська Нерухомість', ['КИЇВСЬКА', 'нерух', 'РУХОМІ']],
  ['CJK', '東京不動産 서울부동산', ['不動', '東京', '서울', '産', '부동산 京']],
  ['kana', 'トウキョウ', ['トウ', 'ﾄｳｷｮｳ']],
  ['Arabic', 'عقارات القاهرة', ['قاهرة', 'عقار']],
  ['emoji', 'Casa 🏠👩‍👩‍👧‍👦', ['🏠', '👩‍👩‍👧‍👦', 'casa 🏠']],
  ['decomposed letters', 'Cafe\u0301 Nin\u0303o', ['café', 'CAFÉ', 'niño', 'nin\u0303o']],
  ['an accent without a letter', '一\u1fcd二 三', ['一\u1fcd', '\u1fcd二', '一\u1fcd二 三', '一 二']],
  ['wide letters', 'ＡＢＣ１２３', ['abc123', 'ＡＢＣ', 'ａｂｃ']],
];

describe.each(scripts)('q in %s', (_, name, queries) => {
  it.each(queries)(`${name} is found by %s`, async (q) => {
    const { id } = await directoryOf(server).office({ name });
    expect(await search('offices', q)).toContain(id);
    const agent = await directoryOf(server).agent({ lastName: name });
    expect(await search('agents', q)).toContain(agent.id);
  });
});

describe('q', () => {
  it.each(
    definitions.map(({ name, fields }) => {
      const searched = Object.entries(fields).filter(([, { isSearched }]) => isSearched);
      return [name, searched.map(([field]) => (field === 'address' ? 'city' : field))] as const;
    }),
  )('looks in these fields of %s: %s', async (collection, fields) => {
    expect(fields).not.toEqual([]);
    for (const field of fields) {
      const needle = `Needle${field}`.toLowerCase();
      const value = field === 'email' ? `${needle}@roster.example` : `a ${needle} b`;
      const { id } = await directoryOf(server).create(
        collection,
        field === 'city' ? { address: { city: value } } : { [field]: value },
      );
      expect(await search(collection, needle.toUpperCase())).toEqual([id]);
    }
  });

  it.each(collections)('looks in no other field of %s', async (collection) => {
    const given = {
      website: 'https://haystack.example',
      phoneExt: 'haystack',
      metadata: { a: 'haystack' },
    };
    await directoryOf(server).create(collection, knownFields(collection, given));
    expect(await search(collection, 'haystack')).toEqual([]);
  });

  it('counts a word that is repeated or contained in another once, and rejects more than eight', async () => {
    const { id } = await directoryOf(server).office({ name: 'Nona Decima Undecima' });
    expect(await search('offices', 'undecima NONA nona decima no on na ec im ci und dec n o d c')).toEqual([
      id,
    ]);
    const nine = 'ab bc cd de ef fg gh hi ij';
    expect(await search('offices', nine.slice(3))).toEqual([]);
    const rejected = await server.request('GET', `/agents?q=${encodeURIComponent(nine)}`);
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'q', code: 'too_many', detail: 'must hold at most 8 different words' }],
    });
  });

  it('reads no sign as a pattern: %, * and \\ separate words, and so does _ between letters', async () => {
    const [cased, joined, numbered] = ['Snake_case', 'SnakeXcase', 'Snake 1_2 case'] as const;
    const made = new Map<string, string>();
    for (const name of [cased, joined, numbered, 'Snake 1X2 case', 'Snake'])
      made.set(name, (await directoryOf(server).office({ name })).id);
    const words = [cased, joined, numbered, 'Snake 1X2 case'];
    const expected: Record<string, string[]> = {
      'snake%case': words,
      'case%snake': words,
      'case*snake*': words,
      'snake\\case': words,
      snake_case: words,
      '％case＿snake': words,
      snake_: [cased],
      _case: [cased],
      '＿case': [cased],
      'snake 1_2': [numbered],
      '1%2 snake': [numbered, 'Snake 1X2 case'],
      '%': [],
      '\\': [],
      '*％': [],
    };
    for (const [q, found] of Object.entries(expected)) {
      const ids = found.map((name) => made.get(name)).sort();
      expect((await search('offices', q)).sort(), q).toEqual(ids);
    }
  });

  it('finds by one letter, and in both states by default', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => directoryOf(server).office({ name: 'ξ' })));
    await directoryOf(server).put('offices', `${two?.id}`, 'deactivate');
    expect((await search('offices', 'Ξ')).sort()).toEqual([one?.id, two?.id].sort());
    expect(await search('offices', 'ξ', '&status=active')).toEqual([one?.id]);
  });

  it('follows a change, a deletion and a restore', async () => {
    const { id } = await directoryOf(server).agent({ lastName: 'Beforehand' });
    await directoryOf(server).patch('agents', id, { lastName: 'Afterwards' });
    expect(await search('agents', 'beforehand')).toEqual([]);
    expect(await search('agents', 'afterwards')).toEqual([id]);
    await directoryOf(server).remove('agents', id);
    expect(await search('agents', 'afterwards')).toEqual([]);
    await directoryOf(server).put('agents', id, 'restore');
    expect(await search('agents', 'afterwards')).toEqual([id]);
  });

  it('finds a name by any part of it that is more than punctuation, whatever it is written in', async () => {
    const name = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(name, fc.nat(), fc.nat(), async (graphemes, from, length) => {
        const start = from % graphemes.length;
        const part = graphemes.slice(start, start + 1 + (length % graphemes.length)).join('');
        fc.pre(
          /[^\p{P}\p{S}\p{Lm}\p{M}\p{Z}\p{C}]/u.test(part) &&
            graphemes.join('').trim() !== '' &&
            [...part].length <= 200,
        );
        const body = { ...smallest('offices'), name: graphemes.join('') };
        const response = await server.request('POST', '/offices', body);
        fc.pre(response.status === 201);
        const { id } = (await response.json()) as { id: string };
        expect(await search('offices', part, `&ids=${id}`)).toEqual([id]);
      }),
      { numRuns: 80 },
    );
  });
});

describe('the order of names', () => {
  it('is that of Unicode, for people of any script', async () => {
    const names = [
      'abel',
      'Abel',
      'Álvares',
      'Alves',
      'ångström',
      'Zola',
      'Ždanov',
      'Ζέας',
      'Яна',
      'あき',
      '山田',
    ];
    const ordered = [
      'abel',
      'Abel',
      'Álvares',
      'Alves',
      'ångström',
      'Ždanov',
      'Zola',
      'Ζέας',
      'Яна',
      'あき',
      '山田',
    ];
    const made = await Promise.all(names.map((lastName) => directoryOf(server).agent({ lastName })));
    const ids = made.map(({ id }) => `ids=${id}`).join('&');
    const { items } = await directoryOf(server).list('agents', `${ids}&sort=lastName`);
    expect(items.map(({ lastName }) => lastName)).toEqual(ordered);
  });
});
