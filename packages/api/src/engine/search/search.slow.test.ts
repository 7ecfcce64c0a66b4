import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { people, useSearch } from '../../../test/support/query/search-scene.ts';
import {
  FIELD_END,
  folded,
  foldedSql,
  splitWords,
  unaccented,
  unaccentedSql,
  unpunctuatedSql,
  wordsOf,
} from '../sameness/folding.ts';

const { database, find } = useSearch();

describe('a search', () => {
  it('finds the records that have all its words somewhere, and no others', async () => {
    const texts = people.map((names) => folded(names.join(' ')));
    const part = fc
      .tuple(
        fc.constantFrom(...texts.flatMap((text) => text.split(' '))),
        fc.nat(6),
        fc.integer({ min: 1, max: 10 }),
      )
      .map(([word, from, length]) => word.slice(from, from + length))
      .filter((word) => word !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (words) => {
        const page = await find({ q: words.join(' ') });
        const matching = texts.flatMap((text, index) =>
          words.every((word) => text.includes(word)) ? [`${people[index]?.[0]} ${people[index]?.[1]}`] : [],
        );
        const names = page.items.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
        expect(page.isSimilar ? [] : names).toEqual(matching);
      }),
      { numRuns: 100 },
    );
  });

  it('folds as the database does', async () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('É', 'Ł', 'Æ', 'が', 'й', '’', '—', 'a.b. ,', '“'),
      ),
      {
        minLength: 50,
        maxLength: 50,
      },
    );
    await fc.assert(
      fc.asyncProperty(text, async (texts) => {
        const capitals = texts.map((one) => one.normalize('NFKC').toUpperCase());
        const { rows } = await sql<{ bare: string; plain: string }>`
          select ${sql.raw(unaccentedSql('given'))} as bare, ${sql.raw(unpunctuatedSql(`' ' || given || ' '`))} as plain
          from unnest(${capitals}::text[]) as given`.execute(database().db);
        expect(rows.map(({ bare }) => bare)).toEqual(capitals.map(unaccented));
        const words = capitals.map((given) => given.split(FIELD_END).map((part) => wordsOf(part).join(' ')));
        const found = rows.map(({ plain }) => plain.split(FIELD_END).map((part) => wordsOf(part).join(' ')));
        expect(found).toEqual(words);
        for (const { plain } of rows) expect(plain).not.toMatch(/ {2}|\. |['’“”,;—-]/);
      }),
      { numRuns: 20 },
    );
  });

  it('finds a name by every letter and mark of Unicode in it', async () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[\p{L}\p{M}]/u.test(character));
    expect(characters.length).toBeGreaterThan(130_000);
    for (const [before, after] of [
      ['一', ''],
      ['一', '二'],
      ['a', 'b'],
    ]) {
      const names = characters.map((character) => `${before}${character}${after}`);
      const { rows } = await sql<{ column: string; words: string }>`
        select ${sql.raw(foldedSql("'x | ' || name || ' | y'"))} as column, ${sql.raw(foldedSql('name'))} as words
        from unnest(${names}::text[]) with ordinality as given (name, place) order by place`.execute(
        database().db,
      );
      const missed = rows.flatMap(({ column, words }, index) =>
        splitWords(words).every((word) => column.includes(word)) ? [] : [names[index]],
      );
      expect(missed).toEqual([]);
    }
  });
});
