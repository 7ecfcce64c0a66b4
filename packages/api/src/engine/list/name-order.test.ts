import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { errorCodeOf, rejected } from '../../../test/support/rejected.ts';

let database: TestDatabase;
let caller: Caller;
let officeId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  caller = callerIn(database.db);
  officeId = (await caller.offices.create({ name: 'Casa' })).id;
  for (const name of created) {
    const [firstName, lastName] = partsOf(name);
    await caller.agents.create({ firstName, lastName, officeId });
  }
});
afterAll(() => database[Symbol.asyncDispose]());

/** First and last name; a dash stands for none. */
const created = [
  ...['Maria Araújo', 'João Reis', 'Ana Araújo', 'Éva Reis', 'Zoe Abel', 'Ana Reis', 'Ana Araújo'],
  ...['- Reis', '- Zoe', 'Ana -', 'Éva -'],
];
const byLastName = [
  ...['Zoe Abel', 'Ana -', 'Ana Araújo', 'Ana Araújo', 'Maria Araújo', 'Éva -'],
  ...['Ana Reis', 'Éva Reis', 'João Reis', '- Reis', '- Zoe'],
];
const byFirstName = [
  ...['Ana -', 'Ana Araújo', 'Ana Araújo', 'Ana Reis', 'Éva -', 'Éva Reis'],
  ...['João Reis', 'Maria Araújo', '- Reis', 'Zoe Abel', '- Zoe'],
];
const partsOf = (name: string) => name.split(' ').map((part) => (part === '-' ? null : part));
const orders = { lastName: byLastName, firstName: byFirstName } as const;

type Sort = 'lastName' | '-lastName' | 'firstName' | '-firstName';
const expected = (sort: Sort) => {
  const names = orders[sort.replace('-', '') as keyof typeof orders];
  return sort.startsWith('-') ? names.toReversed() : names;
};
const sorts: Sort[] = ['lastName', '-lastName', 'firstName', '-firstName'];
interface Named {
  firstName: string | null;
  lastName: string | null;
}
const nameOf = ({ firstName, lastName }: Named) => `${firstName ?? '-'} ${lastName ?? '-'}`;
const namesOf = ({ items }: { items: Named[] }) => items.map(nameOf);

describe.each(sorts)('agents sorted by %s', (sort) => {
  it('are in the order of that name, or of the only one, then of the other one, and then of the id', async () => {
    const page = await caller.agents.list({ sort });
    expect(namesOf(page)).toEqual(expected(sort));
    const twins = page.items.filter((agent) => nameOf(agent) === 'Ana Araújo');
    const ids = twins.map(({ id }) => id);
    expect(ids).toEqual(sort.startsWith('-') ? ids.toSorted().reverse() : ids.toSorted());
  });

  it.each([
    ['all', () => ({})],
    ['those of an office', () => ({ officeId })],
    ['with their office', () => ({ expand: 'office' as const })],
  ])('are the same on pages of every size, both ways: %s', async (_, more) => {
    const query = { sort, ...more() };
    for (const limit of [1, 2, 3]) {
      const pages = [await caller.agents.list({ ...query, limit })];
      for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor)
        pages.push(await caller.agents.list({ ...query, limit, cursor }));
      expect(pages.flatMap(namesOf)).toEqual(expected(sort));
      const back = pages.slice(-1);
      for (let cursor = back[0]?.prevCursor; cursor !== undefined; cursor = back[0]?.prevCursor)
        back.unshift(await caller.agents.list({ ...query, limit, cursor }));
      expect(back.flatMap(namesOf)).toEqual(expected(sort));
    }
  });

  it('begin at a name, with all that have it', async () => {
    const isFirst = sort.endsWith('firstName');
    const startAt = isFirst ? 'Éva' : 'Reis';
    const whole = expected(sort);
    const page = await caller.agents.list({ sort, startAt, limit: 2 });
    const from = whole.findIndex((name) => {
      const [firstName, lastName] = partsOf(name);
      return (isFirst ? (firstName ?? lastName) : (lastName ?? firstName)) === startAt;
    });
    expect(namesOf(page)).toEqual(whole.slice(from, from + 2));
    expect(page.prevCursor !== undefined).toBe(from > 0);
    const next = await caller.agents.list({ sort, startAt, limit: 2, cursor: page.nextCursor });
    expect(namesOf(next)).toEqual(whole.slice(from + 2, from + 4));
  });

  it('have cursors of this sort alone', async () => {
    const { nextCursor } = await caller.agents.list({ sort, limit: 1 });
    for (const other of sorts.filter((one) => one !== sort)) {
      const error = await rejected(caller.agents.list({ sort: other, limit: 1, cursor: nextCursor }));
      expect(errorCodeOf(error)).toBe('cursor_mismatch');
    }
  });
});
