import { type Kysely, sql } from 'kysely';

/**
 * Files that are being received. Each piece is stored by a statement of its own, so that no transaction is open, and no lock held, while
 * a client sends. The row is also the reservation of the job that will read the file; it has an import once the whole file is here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table upload (
      id uuid primary key,
      created_by uuid,
      expires_at timestamptz(3) not null,
      import_id uuid
        constraint upload_import_id_key unique
        constraint upload_import_id_fkey references import (id) on delete cascade
    )`.execute(db);
  await sql`
    insert into upload (id, expires_at, import_id)
    select distinct import_id, now(), import_id from import_chunk`.execute(db);
  await sql`alter table import_chunk drop constraint import_chunk_import_id_fkey`.execute(db);
  await sql`alter table import_chunk rename to upload_chunk`.execute(db);
  await sql`alter table upload_chunk rename column import_id to upload_id`.execute(db);
  await sql`alter index import_chunk_pkey rename to upload_chunk_pkey`.execute(db);
  await sql`
    alter table upload_chunk add constraint upload_chunk_upload_id_fkey
      foreign key (upload_id) references upload (id) on delete cascade`.execute(db);
}
