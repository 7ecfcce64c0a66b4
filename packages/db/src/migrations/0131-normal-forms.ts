import { type Kysely, sql } from 'kysely';

/**
 * Texts of records are in NFC, so that one text is the same however it is typed, and regions are in capitals. Each rule is added to the
 * domain of its column, `not valid`: the service has written no other text, and no scan holds the lock of a table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; isText: boolean }>`
    select typname as name, typbasetype = 'text'::regtype as "isText" from pg_type
    where typtype = 'd' and typnamespace = current_schema()::regnamespace and typname ~ '^(office|agent|team)_'
    order by typname`.execute(db);
  for (const { name, isText } of rows) {
    // No mark composes with the quotes, commas and brackets between the texts of a list or an object.
    await addRule(db, {
      domain: name,
      name: 'nfc',
      rule: `${isText ? 'value' : 'value::text'} is nfc normalized`,
    });
    if (/_region$/.test(name)) await addRule(db, { domain: name, name: 'case', rule: `value !~ '[a-z]'` });
  }
}

async function addRule(
  db: Kysely<unknown>,
  { domain, name, rule }: { domain: string; name: string; rule: string },
): Promise<void> {
  await sql
    .raw(`alter domain ${domain} add constraint ${domain}_${name}_check check (${rule}) not valid`)
    .execute(db);
}
