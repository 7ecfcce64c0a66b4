import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { normalText, withoutCase } from '@roster/fields/text';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { contextOf } from '../../../test/support/context.ts';
import { errorCodeOf, fieldErrorsOf, rejected } from '../../../test/support/rejected.ts';
import { ADMIN } from '../../access/caller.ts';
import { agents } from '../../directory/agents/definition.ts';
import { type ComparedRecord, readProfiles } from '../../duplicates/candidates.ts';
import { scorePair } from '../../duplicates/score.ts';
import { queryRecords } from '../../query.ts';
import { countryCode, isSameLicense, languageCode, licenseNumberKey, nameKey, regionCode } from './keys.ts';
import { licenseNumberKeySql, nameKeySql, withoutCaseSql } from './sql.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

/** The id of a record that is not stored. */
const NEW_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const ana = { firstName: 'Ana', lastName: 'Reis' };
let count = 0;
/** Begins a text that no other record has. */
const own = () => {
  count += 1;
  return `K${count}x`;
};

/** Letters of two cases, but those of the oldest versions of Unicode: a database may not know them, nor letters whose other case is one. */
const hasNewCase = /(?![\0-\u058f\u1e00-\u1fff\ufb00-\uffff])[\p{Cased}\p{Changes_When_Casemapped}]/u;

describe('the form that JavaScript computes is that of the database', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.string({
        unit: fc.constantFrom(...'aZıİßςΣ-./_ﬁºª№½Ａ１－\u2011\u2013\u00a0\u3000e\u0301\u212a陽'),
      }),
    )
    .map((one) => one.replaceAll('\0', ''))
    .filter((one) => [one, one.toUpperCase(), one.toLowerCase()].every((form) => !hasNewCase.test(form)));
  const forms: [string, (one: string) => string, RawBuilder<unknown>][] = [
    ['a text', normalText, sql`normalize(given.text, nfc)`],
    ['a text without its case', withoutCase, withoutCaseSql(sql`given.text`)],
    ['a name', nameKey, nameKeySql(sql`given.text`)],
    ['the number of a licence', licenseNumberKey, licenseNumberKeySql(sql`given.text`)],
  ];

  it.each(forms)('of %s', async (_, formOf, form) => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 200 }), async (all) => {
        const texts = all.map(normalText);
        const { rows } = await sql<{ form: string }>`
          select ${form} as form from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`.execute(
          database.db,
        );
        expect(rows.map((row) => row.form)).toEqual(texts.map(formOf));
      }),
      { numRuns: 20 },
    );
  });
});

/** The same text as somebody else may type or paste it. */
const typedOtherwise = (text: string) =>
  fc
    .tuple(
      fc.constantFrom('NFC', 'NFD'),
      fc.constantFrom('', '\u200b', '\u202a', '\u00ad', '\u3164', '\ufeff'),
      fc.nat(),
      fc.constantFrom('', ' ', '\u200e', ' \u200e '),
    )
    .map(([form, unseen, place, end]) => {
      const given = text.normalize(form);
      const at = place % (given.length + 1);
      return `${end}${given.slice(0, at)}${unseen}${given.slice(at)}${end}`;
    });
/** The same text with some of its letters in the other case. */
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((isLarge) =>
      text.replaceAll(/./gs, (one, at) => (isLarge[at] ? one.toUpperCase() : one.toLowerCase())),
    );
/** The same number with other signs between its letters and digits. */
const withSigns = (text: string) =>
  fc
    .array(fc.constantFrom('', '', '-', ' ', '.', '/', '\u2013'), {
      minLength: text.length,
      maxLength: text.length,
    })
    .map((signs) => text.replaceAll(/./gs, (one, at) => `${one}${signs[at]}`));

/** Two texts as they may be typed, and whether they are the same. */
const pairsOf = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, texts)
    .chain(([one, other]) =>
      fc.tuple(typedOtherwise(one), typedOtherwise(other), fc.constant(one === other)),
    );

/** The kinds of the reasons for which two records may be the same. */
function reasonsOf(pair: readonly [ComparedRecord, ComparedRecord]): string[] {
  const [one, other] = pair.map((record) => readProfiles(agents, [record]).get(record.id));
  if (one === undefined || other === undefined) throw new Error('a record without a profile');
  return scorePair(one, other, () => 1).reasons.map(({ kind }) => kind);
}

const words = fc.constantFrom('São João', 'Łódź', 'Åse', 'Évora-1', 'ガ', '한글', 'plain', 'Plain');

/** White space counts in OData. */
const withoutEnds = (text: string) => text.replace(/^[\s\u200e]+/, '').replace(/[\s\u200e]+$/, '');
const withoutEnd = (text: string) => text.replace(/[\s\u200e]+$/, '');

async function eq(field: string, value: string): Promise<string[]> {
  const where = { kind: 'compare', field, comparison: 'eq', value } as const;
  const isOneOf = { kind: 'in', field, values: [value] } as const;
  const isOther = { kind: 'not', part: { kind: 'compare', field, comparison: 'ne', value } } as const;
  const found = await Promise.all(
    [where, isOneOf, isOther].map(async (condition) => {
      const query = { resource: 'agents', where: condition, orderBy: [], limit: 1_000 } as const;
      const { items } = await queryRecords({ ...contextOf(database.db), caller: ADMIN }, query);
      return items.map(({ id }) => String(id)).sort();
    }),
  );
  expect(new Set(found.map(String)).size).toBe(1);
  return found[0] ?? [];
}

const listed = async (filter: Parameters<Caller['agents']['list']>[0]) =>
  (await caller.agents.list(filter)).items.map(({ id }) => id);

describe('every feature has the same idea of what is the same', () => {
  it('an MLS ID: a filter and RESO', async () => {
    await fc.assert(
      fc.asyncProperty(pairsOf(words), async ([one, other, isSame]) => {
        const end = own();
        const { id } = await caller.agents.create({ ...ana, mlsId: `${withoutEnd(one)}${end}` });
        const given = `${withoutEnd(other)}${end}`;
        expect(await listed({ mlsId: [given] })).toEqual(isSame ? [id] : []);
        expect(await eq('mlsId', withoutEnds(given))).toEqual(isSame ? [id] : []);
      }),
      { numRuns: 60 },
    );
  });

  it('a key of a source: a filter, RESO, an import, and that it is unique', async () => {
    await fc.assert(
      fc.asyncProperty(pairsOf(words), async ([one, other, isSame]) => {
        const name = own();
        const { id } = await caller.agents.create({ ...ana, source: { name, key: one } });
        expect(await listed({ sourceName: [name], sourceKey: [other] })).toEqual(isSame ? [id] : []);
        expect((await eq('source.key', withoutEnds(other))).includes(id)).toBe(isSame);
        const source = { name, key: other };
        const created = caller.agents.create({ ...ana, source });
        if (isSame) expect(errorCodeOf(await rejected(created))).toBe('source_taken');
        else await caller.agents.delete({ id: (await created).id });
        const { results } = await caller.imports.agents({ mode: 'upsert', records: [{ ...ana, source }] });
        expect(results[0]).toMatchObject(isSame ? { status: 'unchanged', id } : { status: 'created' });
      }),
      { numRuns: 60 },
    );
  });

  it('an email address: a filter, RESO, an import, duplicates, and that it is unique', async () => {
    const names = fc.constantFrom('ana', 'joão', 'Bru\u212ae', 'bruke', 'ßa', 'ssa');
    const variants = names
      .chain((name) => inAnyCase(name))
      .chain((name) => fc.constantFrom(name, name.normalize('NFD')));
    await fc.assert(
      fc.asyncProperty(variants, variants, async (one, other) => {
        const host = `${own()}.example`;
        const [email, given] = [`${one}@${host}`, `${other}@${host.toUpperCase()}`];
        const record = await caller.agents.create({ ...ana, email });
        const { id } = record;
        const isSame = withoutCase(email) === withoutCase(given);
        expect(await listed({ email: [given] })).toEqual(isSame ? [id] : []);
        expect(await eq('email', given)).toEqual(isSame ? [id] : []);
        const reasons = reasonsOf([record, { ...record, id: NEW_ID, email: given }]);
        expect(reasons.includes('email')).toBe(isSame);
        const created = caller.agents.create({ ...ana, email: given });
        if (isSame) expect(errorCodeOf(await rejected(created))).toBe('email_taken');
        else await caller.agents.delete({ id: (await created).id });
        const { results } = await caller.imports.agents({
          mode: 'match',
          records: [{ ...ana, email: given, title: 'x' }],
        });
        expect(results[0]?.id === id).toBe(isSame);
      }),
      { numRuns: 60 },
    );
  });

  it('a licence: a filter, RESO, duplicates and a merge', async () => {
    const numbers = fc.constantFrom('SL777', 'L1', 'L11', 'Ç-9', 'AMI 12');
    const variants = numbers.chain(inAnyCase).chain(withSigns).chain(typedOtherwise);
    const regions = fc.constantFrom('FL', 'fl', 'CA');
    await fc.assert(
      fc.asyncProperty(fc.tuple(variants, regions), fc.tuple(variants, regions), async (one, other) => {
        const begin = own();
        const [first, second] = [one, other].map(([number, region]) => ({
          number: `${begin}${number}`,
          region,
        })) as [{ number: string; region: string }, { number: string; region: string }];
        const record = await caller.agents.create({ ...ana, licenses: [first] });
        const duplicate = await caller.agents.create({ ...ana, licenses: [second] });
        const isSameNumber =
          licenseNumberKey(normalText(first.number)) === licenseNumberKey(normalText(second.number));
        const isSame = isSameNumber && regionCode(first.region) === regionCode(second.region);
        const found = isSameNumber ? [record.id, duplicate.id].sort() : [duplicate.id];
        expect((await listed({ licenseNumber: [second.number] })).sort()).toEqual(found);
        expect(await eq('licenses[0].number', second.number)).toEqual(found);
        expect(reasonsOf([record, duplicate]).includes('license')).toBe(isSame);
        const { licenses } = await caller.agents.merge({ id: record.id, duplicateId: duplicate.id });
        expect(licenses).toHaveLength(isSame ? 1 : 2);
      }),
      { numRuns: 60 },
    );
  });

  it('a licence whose region is known of one record alone is that of the other', async () => {
    const [one, other] = [
      { number: 'L-1', region: 'FL' },
      { number: 'l1', region: null },
    ];
    expect(isSameLicense(one, other)).toBe(true);
    const record = await caller.agents.create({ ...ana, licenses: [one] });
    const pair = [record, { ...record, id: NEW_ID, licenses: [other] }] as const;
    expect(reasonsOf(pair)).toContain('license');
  });

  it('codes: they are stored in one letter case, and a filter and RESO find them in any', async () => {
    const codes = fc.record({
      country: inAnyCase('US'),
      region: inAnyCase('FL'),
      language: fc.constantFrom('pt-BR', 'zh-Hant').chain(inAnyCase),
    });
    await fc.assert(
      fc.asyncProperty(codes, codes, async (one, other) => {
        const city = own();
        const address = { city, country: one.country, region: one.region };
        const { id, ...record } = await caller.agents.create({
          ...ana,
          address,
          languages: [one.language],
          licenses: [{ number: city, region: one.region }],
        });
        expect(record).toMatchObject({
          address: { country: countryCode(one.country), region: regionCode(one.region) },
          languages: [languageCode(one.language)],
          licenses: [{ region: regionCode(one.region) }],
        });
        const { country, region, language } = other;
        expect(await listed({ city: [city], country: [country], region: [region] })).toEqual([id]);
        expect(await eq('address.country', country)).toContain(id);
        expect(await eq('address.region', region)).toContain(id);
        expect(await eq('licenses[0].region', region)).toContain(id);
        const item = { kind: 'compare', comparison: 'eq', value: language } as const;
        const where = { kind: 'any', field: 'languages', item } as const;
        const query = { resource: 'agents', where, orderBy: [], limit: 1_000 } as const;
        const { items } = await queryRecords({ ...contextOf(database.db), caller: ADMIN }, query);
        expect(items.some((item) => item.id === id)).toBe(
          languageCode(one.language) === languageCode(language),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('a record typed on a Mac', () => {
  it('is found by its city, by words of it, and by a part of it', async () => {
    const city = `${own()}-São João`;
    const { id } = await caller.agents.create({ ...ana, address: { city: city.normalize('NFD') } });
    expect((await caller.agents.get({ id })).address?.city).toBe(city);
    for (const form of ['NFC', 'NFD']) {
      const given = city.normalize(form);
      expect(await listed({ city: [given] })).toEqual([id]);
      expect(await listed({ q: given })).toEqual([id]);
      const where = {
        kind: 'text',
        field: 'address.city',
        function: 'contains',
        value: given.slice(2),
      } as const;
      const query = { resource: 'agents', where, orderBy: [], limit: 10 } as const;
      const { items } = await queryRecords({ ...contextOf(database.db), caller: ADMIN }, query);
      expect(items.map((item) => item.id)).toEqual([id]);
    }
  });

  it('has one pair of metadata for a name, and two spellings of one are rejected', async () => {
    const { id } = await caller.agents.create({ ...ana, metadata: { ['Região'.normalize('NFD')]: 'a' } });
    await caller.agents.update({ id, metadata: { 'Regi\u200bão': 'ã'.normalize('NFD') } });
    expect((await caller.agents.get({ id })).metadata).toEqual({ Região: 'ã' });
    const both = { Região: 'a', ['Região'.normalize('NFD')]: 'b' };
    for (const call of [
      () => caller.agents.create({ ...ana, metadata: both }),
      () => caller.agents.update({ id, metadata: both }),
    ])
      expect(fieldErrorsOf(await rejected(call()))).toEqual([
        expect.stringMatching(/^#\/metadata\/.* repeated$/),
      ]);
  });
});

describe('what is not seen', () => {
  it('is no name, and a phone number is read without it', async () => {
    const unseen = caller.agents.create({ firstName: '\u200b\u3164', lastName: '\u2800' });
    expect(fieldErrorsOf(await rejected(unseen))).toEqual(['#/firstName required']);
    const { phone } = await caller.agents.create({
      ...ana,
      phone: '\u202a+351\u00a0222 000\u200b 156\u202c',
    });
    expect(phone).toBe('+351222000156');
  });
});
