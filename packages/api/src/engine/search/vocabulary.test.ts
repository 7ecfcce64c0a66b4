import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../../test/support/caller.ts';
import { loadVocabulary, type Vocabulary } from './vocabulary.ts';

let database: TestDatabase;
let vocabulary: Vocabulary;
beforeAll(async () => {
  database = await createTestDatabase();
  const caller = callerIn(database.db);
  for (const [firstName, lastName] of [
    ['Rui', 'Anchorage'],
    ['Rui', 'Agenta'],
    ['Rute', 'Reis'],
  ] as const) {
    const email = `${firstName}.${lastName}77@agents.example`;
    await caller.agents.create({ firstName, lastName, email, mlsId: `Cho${lastName.length}` });
  }
  vocabulary = await loadVocabulary(database.db, 'agent');
});
afterAll(() => database[Symbol.asyncDispose]());

describe('the vocabulary of a sample', () => {
  it('knows the beginnings of words, but not those of addresses', () => {
    const known = ['RU', 'RUI', 'ANCHO', 'AGENTS'].filter((beginning) => vocabulary.has(beginning));
    expect(known).toEqual(['RUI', 'ANCHO']);
  });

  it('counts the parts of addresses and numbers when it says which letters of a word are rarest', () => {
    // The addresses have all letters of AGENTA in a row but the last, and the numbers have CHO.
    expect(vocabulary.rarestIn('AGENTA')).toBe('NTA');
    expect(vocabulary.rarestIn('CHORA')).toBe('HOR');
  });

  it.each([
    ['AN', undefined],
    ["O'B R", undefined],
    ["O'BRI", 'BRI'],
    ['𝒜NA', '𝒜NA'],
  ])('finds three letters or digits in a row: %s', (text, rarest) => {
    expect(vocabulary.rarestIn(text)).toBe(rarest);
  });
});
