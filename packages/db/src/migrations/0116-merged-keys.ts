import { type Kysely, sql } from 'kysely';

/** The tables of records, with the names of their resources. */
const collections = { office: 'offices', agent: 'agents', team: 'teams' };

/**
 * The email address and the name that a merge took from one of its two records, which lead to the survivor as its source does. They stay
 * taken: no other record gets the source, and no other agent the email address, as long as they lead to a record.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table record_merge add email text, add name text`.execute(db);
  for (const [table, collection] of Object.entries(collections)) {
    const leads = `
      select ${table}.id from record_merge join ${table} on ${table}.id = merged_into(duplicate_id)
      where collection = '${collection}' and undone_at is null`;
    await keepTaken(db, {
      table,
      name: `${table}_merged_source_key`,
      columns: 'source_name, source_key',
      isGiven: 'new.source_name is not null',
      isChanged: '(new.source_name, new.source_key) is distinct from (old.source_name, old.source_key)',
      holder: `${leads} and (record_merge.source_name, record_merge.source_key) = (new.source_name, new.source_key)`,
    });
    if (table !== 'agent') continue;
    const folded = (text: string) => `lower(${text} collate "und-x-icu")`;
    await keepTaken(db, {
      table,
      name: 'agent_merged_email_key',
      columns: 'email',
      isGiven: 'new.email is not null',
      isChanged: 'new.email is distinct from old.email',
      holder: `${leads} and ${folded('record_merge.email')} = ${folded('new.email')}`,
    });
  }
}

interface TakenKey {
  table: string;
  /** The name of the constraint, of its function and of its triggers. */
  name: string;
  columns: string;
  isGiven: string;
  isChanged: string;
  /** Selects the record that the new key leads to because another one was merged into it. */
  holder: string;
}

/**
 * Rejects a key that leads to another record. After the row, because a row with the key of a record that is just being merged waits for that
 * merge in the unique index, and must see it.
 */
async function keepTaken(db: Kysely<unknown>, key: TakenKey): Promise<void> {
  const { table, name, columns, isGiven, isChanged, holder } = key;
  await sql
    .raw(`
    create function ${name}() returns trigger language plpgsql as $$
    declare
      survivor uuid;
    begin
      ${holder.replace(`select ${table}.id`, `select ${table}.id into survivor`)} order by merged_at desc limit 1;
      if survivor <> new.id then
        raise exception 'the key of a record that was merged leads to %', survivor
          using errcode = 'unique_violation', constraint = '${name}', table = '${table}', detail = survivor;
      end if;
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger ${name} after insert on ${table} for each row when (${isGiven}) execute function ${name}()`,
    )
    .execute(db);
  await sql
    .raw(`
    create trigger ${name}_of_change after update of ${columns} on ${table}
    for each row when (${isGiven} and ${isChanged}) execute function ${name}()`)
    .execute(db);
}
