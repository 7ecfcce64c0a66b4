import { type Kysely, sql } from 'kysely';

/** The answers to requests that carried an Idempotency-Key, written in the transaction of the change itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_answer (
      actor_id uuid not null,
      operation text not null,
      key text not null constraint idempotent_answer_key_check check (char_length(key) between 1 and 255),
      input_hash bytea not null,
      answer json not null,
      created_at timestamptz(3) not null,
      primary key (actor_id, operation, key)
    )`.execute(db);
  await sql`create index idempotent_answer_created_at_idx on idempotent_answer (created_at)`.execute(db);
}
