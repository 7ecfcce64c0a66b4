import { compileOnce, connect, statementName } from '@roster/db';
import { normalText } from '@roster/fields/text';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf, keyOf } from '../../../test/support/context.ts';
import { type QueryScene, queryScene, TEXTS } from '../../../test/support/query/query-scene.ts';
import { errorCodeOf, rejected } from '../../../test/support/rejected.ts';
import { ADMIN } from '../../access/caller.ts';
import { queryRecords } from '../../query.ts';
import type { Condition, RecordQuery } from './condition.ts';

let scene: QueryScene;
beforeAll(async () => {
  scene = await queryScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const all: RecordQuery = { resource: 'agents', orderBy: [], limit: 1000 };
const isNull: Condition = { kind: 'compare', field: 'title', comparison: 'eq', value: null };
const nested = (depth: number): Condition =>
  depth === 1 ? isNull : { kind: 'not', part: nested(depth - 1) };
const wide = (count: number): Condition => ({
  kind: 'or',
  parts: Array.from({ length: count }, () => isNull),
});
const among = (count: number): Condition => ({
  kind: 'in',
  field: 'title',
  values: Array.from({ length: count }, (_, index) => `t${index}`),
});

async function codesOf(query: Partial<RecordQuery>): Promise<string> {
  const error = await rejected(scene.page({ ...all, ...query }));
  const details = error.errors?.map(({ parameter, code }) => `${parameter} ${code}`);
  return [errorCodeOf(error), ...(details ?? [])].join(' ');
}

describe('a query is invalid', () => {
  it('beyond 200 terms, 20 levels and 500 values, and not at them', async () => {
    for (const where of [wide(200), nested(20), among(500)]) await scene.page({ ...all, where });
    expect(await codesOf({ where: wide(201) })).toBe('invalid_parameter where too_many');
    expect(await codesOf({ where: { kind: 'and', parts: [wide(100), wide(101)] } })).toContain('too_many');
    expect(await codesOf({ where: nested(21) })).toBe('invalid_parameter where too_deep');
    expect(await codesOf({ where: nested(5_000) })).toContain('too_deep');
    expect(await codesOf({ where: among(501) })).toBe('invalid_parameter where too_many');
    const empty: Condition = {
      kind: 'or',
      parts: Array.from({ length: 201 }, () => ({ kind: 'and', parts: [] })),
    };
    expect(await codesOf({ where: empty })).toContain('too_many');
  });

  it('beyond 200 terms and 20 levels in conditions on the items of a list too', async () => {
    const one = { kind: 'compare', comparison: 'eq', value: 'pt' } as const;
    const item = (count: number) =>
      ({ kind: 'or', parts: Array.from({ length: count }, () => one) }) as const;
    const any = (count: number): Condition => ({ kind: 'any', field: 'languages', item: item(count) });
    await scene.page({ ...all, where: any(199) });
    expect(await codesOf({ where: any(200) })).toContain('too_many');
    let part: Condition = any(1);
    for (let depth = 4; depth <= 21; depth += 1) part = { kind: 'not', part };
    expect(await codesOf({ where: part })).toContain('too_deep');
  });

  it('beyond 1,000 records, 10,000 skipped ones and 5 orders', async () => {
    for (const limit of [0, 1001, 1.5, Number.NaN]) {
      expect(await codesOf({ limit })).toBe('invalid_parameter limit out_of_range');
    }
    for (const skip of [-1, 10_001, 1e9]) {
      expect(await codesOf({ skip })).toBe('invalid_parameter skip out_of_range');
    }
    expect(await scene.page({ ...all, skip: 10_000 })).toEqual({ items: [] });
    const orderBy = Array.from({ length: 6 }, () => ({ field: 'id', isDescending: false }));
    expect(await codesOf({ orderBy })).toBe('invalid_parameter orderBy too_many');
  });

  it('if it names what is not a field of the records', async () => {
    for (const field of [
      '',
      'search_text',
      'is_email_moving',
      'record',
      'metadata',
      'licenses',
      '__proto__',
      'constructor',
      'id"; --',
    ]) {
      const where: Condition = { kind: 'compare', field, comparison: 'eq', value: 'a' };
      expect(await codesOf({ where })).toBe('invalid_parameter where unknown_field');
      expect(await codesOf({ orderBy: [{ field, isDescending: false }] })).toBe(
        'invalid_parameter orderBy unknown_field',
      );
    }
    expect(await codesOf({ orderBy: [{ field: 'languages', isDescending: true }] })).toContain(
      'invalid_type',
    );
  });

  it('if it compares a field with a value of another type', async () => {
    const wrong: [string, unknown][] = [
      ...[
        ['title', 1],
        ['id', 7],
        ['version', '1'],
        ['version', Number.POSITIVE_INFINITY],
      ],
      ...[
        ['createdAt', '2026-01-31'],
        ['createdAt', '2026-01-31T08:00:00+20:00'],
        ['createdAt', 'now'],
      ],
      ...[
        ['nextLicenseExpiresOn', '2026-02-30'],
        ['languages', 'pt'],
        ['languages', null],
      ],
    ] as [string, unknown][];
    for (const [field, value] of wrong) {
      const where = { kind: 'compare', field, comparison: 'eq', value } as Condition;
      expect(await codesOf({ where })).toBe('invalid_parameter where invalid_type');
      const values = [value];
      expect(await codesOf({ where: { kind: 'in', field, values } as Condition })).toContain('invalid_type');
    }
    const others = [
      { kind: 'text', field: 'createdAt', function: 'contains', value: '2026' },
      { kind: 'compare', field: 'createdAt', comparison: 'eq', value: null, isLowered: true },
      { kind: 'any', field: 'title' },
      { kind: 'all', field: 'languages' },
      { kind: 'any', field: 'languages', item: { kind: 'compare', comparison: 'eq', value: 1 } },
    ] as Condition[];
    for (const where of others) expect(await codesOf({ where })).toContain('invalid_type');
  });

  it('if a text has what no record can hold', async () => {
    for (const value of ['\0', 'a\0', '\ud800', '\udc00a']) {
      for (const where of [
        { kind: 'compare', field: 'title', comparison: 'ne', value },
        { kind: 'text', field: 'title', function: 'contains', value },
        { kind: 'in', field: 'id', values: [value] },
        { kind: 'any', field: 'languages', item: { kind: 'compare', comparison: 'eq', value } },
      ] as Condition[]) {
        expect(await codesOf({ where })).toBe('invalid_parameter where invalid_character');
      }
    }
  });
});

describe('the statement of a query', () => {
  it('has every value as a parameter, so that no text is a pattern or SQL', async () => {
    const texts: string[] = [];
    await using recorded = await recording((text) => texts.push(text));
    const functions = {
      contains: (text: string, value: string) => text.includes(normalText(value)),
      startsWith: (text: string, value: string) => text.startsWith(normalText(value)),
      endsWith: (text: string, value: string) => text.endsWith(normalText(value)),
    };
    for (const [name, holds] of Object.entries(functions)) {
      for (const value of TEXTS) {
        const term = { kind: 'text', function: name as keyof typeof functions, value } as const;
        const inBio = await recorded.page({ ...all, where: { ...term, field: 'bio' } });
        const inItems = await recorded.page({
          ...all,
          where: { kind: 'any', field: 'designations', item: term },
        });
        const { agents } = scene.records;
        const idsOf = (records: typeof agents) => new Set(records.map(({ id }) => id));
        expect(idsOf(inBio.items)).toEqual(
          idsOf(agents.filter(({ bio }) => typeof bio === 'string' && holds(bio, value))),
        );
        expect(idsOf(inItems.items)).toEqual(
          idsOf(
            agents.filter(({ designations }) =>
              (designations as string[]).some((item) => holds(item, value)),
            ),
          ),
        );
      }
    }
    expect(new Set(texts).size).toBe(6);
    const { rows } = await sql`select from agent`.execute(scene.db);
    expect(rows).toHaveLength(scene.records.agents.length);
  });

  it('is no prepared statement, of which a connection keeps few', async () => {
    const texts: string[] = [];
    await using recorded = await recording((text) => texts.push(text));
    await recorded.page({ ...all, where: isNull });
    const preparedStatements = compileOnce<object, { name: string }>(
      () => sql`select name from pg_prepared_statements`,
      { isReadOnly: true },
    );
    await preparedStatements.execute(recorded.db, {});
    const names = (await preparedStatements.execute(recorded.db, {})).map(({ name }) => name);
    expect(texts[0]).toContain('json_agg');
    expect(names).not.toContain(statementName(String(texts[0])));
    // Those that are prepared are seen: over the same connection.
    expect(names).toContain(statementName(String(texts[1])));
  });

  it('ends with timeout if it takes too long', async () => {
    const { connection } = scene.database;
    const db = connect({ connection, timeouts: { statementMs: 1, silenceMs: 5_000 } });
    const where: Condition = { kind: 'and', parts: Array.from({ length: 200 }, () => among(500)) };
    const query = { ...all, where: { kind: 'not', part: where } as const };
    const error = await rejected(queryRecords({ ...contextOf(db), caller: ADMIN }, query));
    expect(errorCodeOf(error)).toBe('timeout');
    await db.destroy();
  });

  /** Queries over one connection of its own, whose statements are seen. */
  async function recording(see: (text: string) => void) {
    const { connection } = scene.database;
    const onStatement = ({ sql: text }: { sql: string }) => see(text);
    const db = connect({ connection, pipeline: { connections: 1 }, pool: { max: 1 }, onStatement });
    const page = (query: RecordQuery) => queryRecords({ ...contextOf(db), caller: ADMIN }, query);
    return { db, page, [Symbol.asyncDispose]: () => db.destroy() };
  }
});

describe('the scope of a key', () => {
  it('must be that of the resource, before anything else is checked', async () => {
    for (const resource of ['offices', 'agents'] as const) {
      const query: RecordQuery = { ...all, resource, limit: 3 };
      const other = keyOf([
        resource === 'offices' ? 'agents:read' : 'offices:read',
        'agents:write',
        'events:read',
      ]);
      const error = await rejected(scene.page({ ...query, where: nested(30) }, other));
      expect(error).toMatchObject({ errorCode: 'insufficient_scope', scope: `${resource}:read` });
      expect((await scene.page(query, keyOf([`${resource}:read`]))).items).toHaveLength(3);
    }
  });
});
