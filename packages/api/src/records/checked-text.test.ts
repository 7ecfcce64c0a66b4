import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Agent, ListedAgent } from '../agents/schemas.ts';
import { Office } from '../offices/schemas.ts';
import { appRouter } from '../router.ts';
import { contextOf } from '../testing/context.ts';
import { bytesOf, textOf } from './bytes.ts';
import { CheckedText, TextCheck } from './checked-text.ts';

const text = fc.string({ unit: 'binary' });
const oneOf = (...values: unknown[]) => fc.constantFrom(...values);

/** Any value of a schema of a record, with the names in the order of the schema. */
function anyOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'string':
      return text;
    case 'number':
      return fc.integer({ min: 1, max: 2 ** 40 });
    case 'enum':
      return oneOf(...Object.values(def.entries));
    case 'nullable':
      return fc.option(anyOf(def.innerType));
    case 'optional':
      return fc.option(anyOf(def.innerType), { nil: undefined });
    case 'array':
      return fc.array(anyOf(def.element), { maxLength: 3 });
    case 'record':
      return fc.dictionary(text, anyOf(def.valueType), { maxKeys: 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, anyOf(member)])),
      );
    default:
      throw new Error(`nobody says what a ${def.type} looks like`);
  }
}

const schemas: [string, z.ZodObject][] = [
  ['an agent', Agent],
  ['a listed agent', ListedAgent],
  ['an office', Office],
];

/** A check that has met every part of a record. */
function taught(schema: z.ZodObject): TextCheck {
  const check = new TextCheck(schema);
  for (const value of fc.sample(anyOf(schema), 60)) check.learn(JSON.parse(JSON.stringify(value)));
  return check;
}

describe.each(schemas)('the text of %s', (_, schema) => {
  it('is known where it is valid, whatever its values', () => {
    const check = taught(schema);
    fc.assert(
      fc.property(anyOf(schema), (value) => {
        const json = JSON.stringify(value);
        expect(schema.safeParse(JSON.parse(json)).success).toBe(true);
        expect(check.record(bytesOf(json))?.take()).toEqual([bytesOf(json)]);
      }),
      { numRuns: 50 },
    );
  });

  it('is never taken for valid where it is not', () => {
    const check = taught(schema);
    const wrong = oneOf(null, 1.5, '', true, {}, [], ['x'], { x: 1 }, 1e20);
    fc.assert(
      fc.property(anyOf(schema), fc.nat(), wrong, fc.boolean(), (value, at, other, isNew) => {
        const record = { ...(value as Record<string, unknown>) };
        const names = Object.keys(record);
        record[isNew ? 'another' : (names[at % names.length] ?? '')] = other;
        const json = JSON.stringify(record);
        if (check.record(json) !== undefined) expect(schema.safeParse(JSON.parse(json)).success).toBe(true);
        if (isNew) expect(check.record(json)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('a check of texts', () => {
  const Thing = z.strictObject({
    id: z.string(),
    version: z.int(),
    of: z.strictObject({ a: z.string(), b: z.int().optional() }).nullable(),
  });

  it('knows none before it has met one, and from then on those with their names in its order', () => {
    const check = new TextCheck(Thing);
    const json = '{"version":3,"id":"x\\"","of":{"a": "", "b": 1}}';
    expect(check.record(json)).toBeUndefined();
    check.learn(JSON.parse(json));
    const known = check.record(json);
    expect({ version: known?.version, parts: known?.take() }).toEqual({ version: 3, parts: [json] });
    expect(known?.take()).toEqual([]);
    expect(check.record('{"version":3,"id":"x","of":{"a":""}}')).toBeDefined();
    expect(check.record('{"version":3,"id":"x","of":{"a":"","b": 1}}')).toBeUndefined();
    expect(check.record('{"version":3,"id":"x","of":null}')).toBeDefined();
    expect(check.record('{"id":"x","version":3,"of":null}')).toBeUndefined();
  });

  it.each([
    '{"id":"x","version":3,"of":null} ',
    '{"id":"x","version":3,"of":null',
    '{"id":"x","version":03,"of":null}',
    '{"id":"\n","version":3,"of":null}',
    '{"id":"\\x","version":3,"of":null}',
    '',
  ])('does not take %j for a record', (json) => {
    const check = new TextCheck(Thing);
    check.learn({ id: 'x', version: 3, of: null });
    expect(check.record('{"id":"x","version":3,"of":null}')).toBeDefined();
    expect(check.record(json)).toBeUndefined();
  });

  it('learns nothing of what is not valid', () => {
    const check = new TextCheck(Thing);
    check.learn({ id: 'x', version: '3', of: null });
    expect(check.record('{"id":"x","version":3,"of":null}')).toBeUndefined();
  });

  it.each([
    z.strictObject({ id: z.string().min(1) }),
    z.strictObject({ id: z.number() }),
    z.object({ id: z.string() }),
  ])('is refused for a schema that a text cannot be held against, before any text comes', (schema) => {
    expect(() => new TextCheck(schema)).toThrow(/No pattern/);
  });
});

describe('who takes text', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());
  const callers = () => {
    const context = contextOf(database.db);
    return [
      appRouter.createCaller(context),
      appRouter.createCaller({ ...context, takesText: true }),
    ] as const;
  };
  const read = (answer: unknown) => {
    expect(answer).toBeInstanceOf(CheckedText);
    return JSON.parse(textOf((answer as CheckedText).take().join('')));
  };

  it('is answered the text of what others are answered, from the first on', async () => {
    const [objects, texts] = callers();
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
      { limit: 2, includeTotal: true },
      { expand: 'office' as const },
      { q: 'nobody' },
    ]) {
      const page = await objects.agents.list(input);
      const text = await texts.agents.list(input);
      expect(read(text)).toEqual(page);
      expect(text.nextCursor).toBe(page.nextCursor);
    }
    const text = await texts.offices.get({ id: office.id });
    expect(read(text)).toEqual(office);
    expect(text.version).toBe(office.version);
  });

  it('is answered objects by changes', async () => {
    const [, texts] = callers();
    const office = await texts.offices.create({ name: 'Lar' });
    expect(await texts.offices.update({ id: office.id, name: 'Lar' })).toEqual(office);
  });
});
