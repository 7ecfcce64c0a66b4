import { connect } from '@roster/db';
import { createTestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { serializeError } from '../../src/observability/error-serializer.ts';
import { createLogger } from '../../src/observability/logger.ts';

const CANARY = 'kanarienvogel';

function thrown(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

it('a serialized error has no message that may contain a value', () => {
  const faults: unknown[] = [
    new Error(CANARY),
    Object.assign(new Error('of a file'), { name: CANARY, code: `${CANARY}!` }),
    new Error('outer', { cause: new Error(`inner ${CANARY}\n    at ${CANARY} (/x.js:1:1)`) }),
    new AggregateError([new Error(CANARY)], CANARY),
    thrown(() => JSON.parse(`{"a":${CANARY}}`)),
    thrown(() => new URL(`http://${CANARY}:x`)),
    thrown(() => 'a' in JSON.parse(`"${CANARY}"`)),
    thrown(() => BigInt(CANARY)),
    thrown(() => new Intl.DateTimeFormat('en', { timeZone: CANARY })),
    thrown(() => Reflect.apply(Buffer.from, Buffer, [CANARY, CANARY])),
    thrown(() => new Headers({ 'x-name': `${CANARY}\n` })),
    thrown(() => {
      JSON.parse('null')[CANARY].x;
    }),
    CANARY,
    { message: CANARY },
  ];
  for (const fault of faults) expect(JSON.stringify(serializeError(fault))).not.toContain(CANARY);
});

it('a serialized error has types, codes, frames and causes', () => {
  const fault = thrown(() => JSON.parse('{}').absent.length);
  const logged = serializeError(new Error('a request failed', { cause: fault }));
  expect(logged.cause).toMatchObject({ type: 'TypeError', message: 'Cannot read properties of undefined' });
  expect(logged.cause?.stack?.[0]).toMatch(/error-serializer\.test\.ts\S*:\d+:\d+/);
});

it('a message of the database is kept if it is about the statement, and left out if it may quote values', async () => {
  await using database = await createTestDatabase();
  await using db = connect({ connection: database.connection });
  const said = (statement: string) =>
    sql
      .raw(statement)
      .execute(db)
      .then(() => undefined, serializeError);
  expect(await said('select * from nothing')).toMatchObject({
    code: '42P01',
    message: 'relation "nothing" does not exist',
  });
  expect(JSON.stringify(await said(`select '${CANARY}'::int`))).not.toContain(CANARY);
  const doubled = `insert into office (id, created_at, updated_at, status_changed_at, name)
    select gen_random_uuid(), now(), now(), now(), null || '${CANARY}'`;
  const failed = await said(doubled);
  expect(failed).toMatchObject({ code: '23502', table: 'office', column: 'name' });
  expect(JSON.stringify(failed)).not.toContain(CANARY);
});

it('the message of an error never becomes the text of a line, also if a library passes it', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  log.error(new Error(CANARY));
  log.error({ err: new Error(CANARY) });
  log.warn(
    { err: new Error(CANARY), req: { method: 'GET', url: CANARY, headers: { cookie: CANARY } } },
    CANARY,
  );
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain(CANARY);
});
