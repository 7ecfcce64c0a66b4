import { type Kysely, sql } from 'kysely';

/**
 * The rules of one column become a domain of its own, under the names they had as checks of the table. PostgreSQL reads
 * and plans every check of a table anew for every statement that writes to it, whatever it writes: forty of them took
 * half of the time of an insert. The rules of a domain are kept by the session, and only the columns that are written
 * are looked at. Checks between columns, and those of a few words, stay with the table.
 *
 * It rewrites both tables under a lock: a minute for each million rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A column that another one is generated from cannot change its type; what it holds stays.
  for (const table of ['office', 'agent'] as const) {
    await sql`alter table ${sql.table(table)} alter column search_text drop expression`.execute(db);
    const rules = [...textRules(table), ...valueRules[table]];
    for (const { column, base, rule } of rules) {
      const domain = `${table}_${column}`;
      await run(db, `create domain ${domain} as ${base} constraint ${domain}_check check (${rule})`);
    }
    const changes = rules.flatMap(({ column }) => [
      `drop constraint ${table}_${column}_check`,
      `alter column ${column} type ${table}_${column}`,
    ]);
    await run(db, `alter table ${table} ${changes.join(', ')}`);
  }
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

interface Rule {
  column: string;
  base: string;
  rule: string;
}

const address = { line1: 100, line2: 100, city: 100, county: 100, region: 3, postal_code: 16 };

const lengthsOfBoth = {
  status_reason: 500,
  source_name: 255,
  source_key: 255,
  type: 50,
  mls_id: 50,
  national_association_id: 50,
  phone: 32,
  phone_ext: 10,
  fax: 32,
  email: 254,
  website: 2048,
  bio: 4000,
  ...prefixed('address', address),
};

/** The longest text of each column, in characters; where it may be null, it may not be empty. */
const lengths: Record<'office' | 'agent', Record<string, number>> = {
  office: {
    ...lengthsOfBoth,
    name: 255,
    legal_name: 255,
    franchise: 100,
    time_zone: 64,
    ...prefixed('mailing_address', address),
  },
  agent: {
    ...lengthsOfBoth,
    first_name: 100,
    last_name: 100,
    middle_name: 100,
    nickname: 100,
    name_prefix: 20,
    name_suffix: 20,
    display_name: 255,
    title: 100,
    mobile_phone: 32,
    direct_phone: 32,
    photo_url: 2048,
  },
};

/** Names are sorted for people of any script, so they carry the root collation of Unicode. */
const sortedNames = ['name', 'first_name', 'last_name'];

function prefixed(prefix: string, parts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(parts).map(([part, length]) => [`${prefix}_${part}`, length]));
}

function textRules(table: 'office' | 'agent'): Rule[] {
  return Object.entries(lengths[table]).map(([column, length]) => ({
    column,
    base: sortedNames.includes(column) ? 'text collate "und-x-icu"' : 'text',
    rule: `char_length(value) between 1 and ${length}`,
  }));
}

const country = (column: string): Rule => ({ column, base: 'text', rule: `value ~ '^[A-Z]{2}$'` });

/** What is empty, as most of these are, is not looked into. */
const json = (column: string, empty: string, rule: string): Rule => ({
  column,
  base: 'jsonb',
  rule: `value = '${empty}' or ${rule}`,
});

const texts = (column: string, countMax: number, lengthMax: number): Rule => ({
  column,
  base: 'text[]',
  rule: `value = '{}' or texts_within(value, ${countMax}, ${lengthMax})`,
});

const metadata = json('metadata', '{}', 'metadata_within(value)');

const valueRules: Record<'office' | 'agent', Rule[]> = {
  office: [
    metadata,
    json('licenses', '[]', 'licenses_within(value, 20)'),
    country('address_country'),
    country('mailing_address_country'),
  ],
  agent: [
    metadata,
    json('licenses', '[]', 'licenses_within(value, 50)'),
    texts('languages', 20, 35),
    texts('designations', 30, 50),
    country('address_country'),
  ],
};
