import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAbandonedUploads } from './upload.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it('files that were abandoned while they arrived are deleted with their text, and no others', async () => {
  const { db } = database;
  const now = new Date();
  await sql`
    with id as (select gen_random_uuid() as id), one as (
      insert into job (id, resource, status, change, total, batches, created_at, worked_at)
      select id, 'agents', 'queued', '{}', 0, 0, now(), now() from id
    )
    insert into import (id, step, is_write, settings, position) select id, 'read', false, '{}', '{}' from id`.execute(
    db,
  );
  await sql`
    insert into upload (id, expires_at, import_id)
    select gen_random_uuid(), expires_at, import_id from (values
      (${now}::timestamptz - interval '1 ms', null), (${now}::timestamptz - interval '1 day', null),
      (${now}::timestamptz + interval '1 s', null), (${now}::timestamptz - interval '1 day', (select id from import))
    ) as given (expires_at, import_id)`.execute(db);
  await sql`
    insert into upload_chunk (upload_id, number, start, text) select id, 0, 0, 'name' from upload`.execute(
    db,
  );
  expect(await deleteAbandonedUploads(db, now)).toBe(2);
  const { rows } = await sql`
    select import_id is not null or expires_at > ${now} as "isKept" from upload_chunk join upload on id = upload_id`.execute(
    db,
  );
  expect(rows).toEqual([{ isKept: true }, { isKept: true }]);
});
