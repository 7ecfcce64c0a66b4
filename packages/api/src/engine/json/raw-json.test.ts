import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn, standardRouter } from '../../../test/support/caller.ts';
import { contextOf } from '../../../test/support/context.ts';
import { Office } from '../../directory/offices/schemas.ts';
import { decodedSchema, orRawJson, RawJson } from './raw-json.ts';

describe('raw JSON', () => {
  it('decodes to the value of its parts, whatever its letters', () => {
    const parts = ['{"a":"', 'São 😀', '"}'];
    expect(new RawJson(parts).decode()).toEqual({ a: 'São 😀' });
    const bytes = parts.map((part) => Buffer.from(part).toString('latin1'));
    expect(new RawJson(bytes, { isBytes: true }).decode()).toEqual({ a: 'São 😀' });
    expect(new RawJson(bytes, { isBytes: true }).take()).toEqual([Buffer.from(parts.join(''))]);
  });

  it('gives its parts away once', () => {
    const json = new RawJson(['{}']);
    expect(json.take()).toEqual(['{}']);
    expect(() => json.take()).toThrow('taken before');
    expect(() => json.decode()).toThrow('taken before');
  });

  it('is never encoded again', () => {
    expect(() => JSON.stringify({ data: new RawJson(['{}']) })).toThrow('not encoded again');
  });

  it('matches the schema of a procedure that may return it, and no other', () => {
    const json = new RawJson(['{}']);
    expect(orRawJson(Office).parse(json)).toBe(json);
    expect(Office.safeParse(json).success).toBe(false);
    expect(orRawJson(Office).safeParse({}).success).toBe(false);
  });

  it('leaves the schema of the decoded value to be found', () => {
    expect(decodedSchema(orRawJson(Office))).toBe(Office);
    expect(decodedSchema(Office)).toBe(Office);
  });
});

describe('a caller that accepts raw JSON', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  const callers = () =>
    [
      callerIn(database.db),
      standardRouter.createCaller(contextOf(database.db, { request: { acceptsRawJson: true } })),
    ] as const;
  const rawOf = (result: unknown): RawJson => {
    if (!(result instanceof RawJson)) throw new Error('the result is not raw JSON');
    return result;
  };
  const read = (json: RawJson) => JSON.parse(json.take().join(''));

  it('gets the JSON of what others get decoded: pages with their next cursor, records with their version', async () => {
    const [objects, raw] = callers();
    const office = await objects.offices.create({
      name: 'Casa "Ó"',
      licenses: [{ number: 'L-1' }],
      metadata: { a: '1' },
    });
    const address = { city: 'São Paulo\n', country: 'BR' };
    const source = { name: 'MLS', key: '7' };
    for (const lastName of ['Reis', 'Sá\u0001', 'Zé 😀'])
      await objects.agents.create({
        firstName: 'Ana',
        lastName,
        officeId: office.id,
        address,
        ...(lastName === 'Reis' && { source }),
      });
    for (const input of [
      {},
      { limit: 2 },
      { limit: 3 },
      { limit: 2, includeTotal: true },
      { limit: 2, sort: '-lastName' as const },
      { limit: 2, expand: 'office' as const },
      { limit: 2, expand: 'office' as const, sort: 'lastName' as const },
      { q: 'unmatched' },
    ]) {
      const page = await objects.agents.list(input);
      const json = rawOf(await raw.agents.list(input));
      expect(json.nextCursor).toBe(page.nextCursor);
      expect(page.nextCursor === undefined).toBe(input.limit !== 2);
      expect(read(json)).toEqual(page);
    }
    const json = rawOf(await raw.offices.get({ id: office.id }));
    expect(json.version).toBe(office.version);
    expect(read(json)).toEqual(office);
  });

  it('gets the JSON of a change with its version, and of a new record with its ID too', async () => {
    const [objects, raw] = callers();
    const created = rawOf(await raw.offices.create({ name: 'Lar' }));
    const { id = '', version } = created;
    expect(version).toBe(1);
    expect(read(created)).toEqual(await objects.offices.get({ id }));
    const unchanged = rawOf(await raw.offices.update({ id, name: 'Lar' }));
    expect(unchanged.version).toBe(1);
    const changed = rawOf(await raw.offices.update({ id, name: 'Lar Doce' }));
    expect(changed.version).toBe(2);
    expect(read(changed)).toEqual(await objects.offices.get({ id }));
  });
});
