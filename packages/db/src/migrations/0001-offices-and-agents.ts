import { type Kysely, sql } from 'kysely';

/**
 * Offices, agents and the tombstones of deleted ones.
 *
 * Every rule that a constraint can hold is one here, and has a name: the API maps names to reasons and
 * checks nothing twice. Lengths are counted in code points (`char_length`), as the API counts them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await checkFunctions(db);
  await sql.raw(`create table office (${recordColumns('office')}, ${officeColumns})`).execute(db);
  await sql.raw(`create table agent (${recordColumns('agent')}, ${agentColumns})`).execute(db);
  await references(db);
  await searchColumns(db);
  await indexes(db);
  await officeHierarchy(db);
  await activeOffices(db);
  await sql`
    create table tombstone (
      collection text not null constraint tombstone_collection_check check (collection in ('offices', 'agents')),
      id uuid not null,
      record json not null,
      deleted_at timestamptz(3) not null,
      primary key (collection, id)
    )`.execute(db);
  await sql`create index tombstone_deleted_at_idx on tombstone (deleted_at)`.execute(db);
}

/** Checks that need to look inside a value; a plain CHECK may not hold a subquery. */
async function checkFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function texts_within(items text[], count_max int, length_max int) returns boolean
    language sql immutable parallel safe
    return cardinality(items) <= count_max
      and not exists (select from unnest(items) as item
                      where item is null or char_length(item) not between 1 and length_max)`.execute(db);
  await sql`
    create function metadata_within(pairs jsonb) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(pairs) = 'object'
      and (select count(*) <= 50
             and coalesce(bool_and(char_length(key) between 1 and 40 and jsonb_typeof(value) = 'string'
                                   and char_length(value #>> '{}') <= 500), true)
           from jsonb_each(pairs))`.execute(db);
  await sql`
    create function licenses_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where char_length(coalesce(item ->> 'number', '')) not between 1 and 50
                         or char_length(item ->> 'region') > 3
                         or char_length(item ->> 'type') > 30)`.execute(db);
}

/** A text column with its longest value; where it may be null, it may not be empty. */
function text(table: string, column: string, lengthMax: number, type = 'text'): string {
  return `${column} ${type} constraint ${table}_${column}_check check (char_length(${column}) between 1 and ${lengthMax})`;
}

function requiredText(table: string, column: string, lengthMax: number): string {
  // Names are sorted for people of any script, so they carry the root collation of Unicode.
  return text(table, column, lengthMax, 'text collate "und-x-icu" not null');
}

function address(table: string, prefix: string): string {
  const lengths = { line1: 100, line2: 100, city: 100, county: 100, region: 3, postal_code: 16 };
  return [
    ...Object.entries(lengths).map(([column, lengthMax]) => text(table, `${prefix}_${column}`, lengthMax)),
    `${prefix}_country text constraint ${table}_${prefix}_country_check check (${prefix}_country ~ '^[A-Z]{2}$')`,
  ].join(',\n');
}

function licenses(table: string, countMax: number): string {
  return `licenses jsonb not null default '[]'
    constraint ${table}_licenses_check check (licenses_within(licenses, ${countMax}))`;
}

function recordColumns(table: string): string {
  return `
    id uuid primary key,
    status text not null default 'active'
      constraint ${table}_status_check check (status in ('active', 'inactive')),
    ${text(table, 'status_reason', 500)},
    status_changed_at timestamptz(3) not null,
    deactivated_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    version integer not null default 1 constraint ${table}_version_check check (version >= 1),
    ${text(table, 'source_name', 255)},
    ${text(table, 'source_key', 255)},
    metadata jsonb not null default '{}' constraint ${table}_metadata_check check (metadata_within(metadata)),
    constraint ${table}_deactivated_check check ((status = 'inactive') = (deactivated_at is not null)),
    constraint ${table}_source_check check ((source_name is null) = (source_key is null)),
    constraint ${table}_source_key unique (source_name, source_key)`;
}

const officeColumns = [
  requiredText('office', 'name', 255),
  text('office', 'legal_name', 255),
  `branch_type text constraint office_branch_type_check check (branch_type in ('main', 'branch', 'stand_alone'))`,
  text('office', 'type', 50),
  'main_office_id uuid constraint office_main_office_self_check check (main_office_id <> id)',
  'broker_agent_id uuid',
  'manager_agent_id uuid',
  text('office', 'franchise', 100),
  text('office', 'mls_id', 50),
  text('office', 'national_association_id', 50),
  licenses('office', 20),
  text('office', 'phone', 32),
  text('office', 'phone_ext', 10),
  text('office', 'fax', 32),
  text('office', 'email', 254),
  text('office', 'website', 2048),
  address('office', 'address'),
  address('office', 'mailing_address'),
  text('office', 'time_zone', 64),
  text('office', 'bio', 4000),
].join(',\n');

const agentColumns = [
  requiredText('agent', 'first_name', 100),
  requiredText('agent', 'last_name', 100),
  text('agent', 'middle_name', 100),
  text('agent', 'nickname', 100),
  text('agent', 'name_prefix', 20),
  text('agent', 'name_suffix', 20),
  text('agent', 'display_name', 255),
  text('agent', 'title', 100),
  text('agent', 'type', 50),
  'office_id uuid',
  'transferred_at timestamptz(3)',
  text('agent', 'email', 254),
  text('agent', 'phone', 32),
  text('agent', 'phone_ext', 10),
  text('agent', 'mobile_phone', 32),
  text('agent', 'direct_phone', 32),
  text('agent', 'fax', 32),
  text('agent', 'mls_id', 50),
  text('agent', 'national_association_id', 50),
  licenses('agent', 50),
  address('agent', 'address'),
  `languages text[] not null default '{}' constraint agent_languages_check check (texts_within(languages, 20, 35))`,
  `designations text[] not null default '{}' constraint agent_designations_check check (texts_within(designations, 30, 50))`,
  'assistant_to_agent_id uuid constraint agent_assistant_to_self_check check (assistant_to_agent_id <> id)',
  text('agent', 'website', 2048),
  text('agent', 'photo_url', 2048),
  text('agent', 'bio', 4000),
].join(',\n');

async function references(db: Kysely<unknown>): Promise<void> {
  const reference = (table: string, column: string, target: string) =>
    sql
      .raw(
        `alter table ${table} add constraint ${table}_${column}_fkey foreign key (${column}) references ${target} (id)`,
      )
      .execute(db);
  await reference('office', 'main_office_id', 'office');
  await reference('office', 'broker_agent_id', 'agent');
  await reference('office', 'manager_agent_id', 'agent');
  await reference('agent', 'office_id', 'office');
  await reference('agent', 'assistant_to_agent_id', 'agent');
}

/** What `q` looks in, folded once when a record is written rather than at each search. */
async function searchColumns(db: Kysely<unknown>): Promise<void> {
  const folded = (columns: string[]) =>
    // In capitals, because small letters differ by their place in a word: Σ is σ or ς.
    `upper(normalize(${columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `)}, nfkc))`;
  const add = (table: string, columns: string[]) =>
    sql
      .raw(
        `alter table ${table} add search_text text collate "C" generated always as (${folded(columns)}) stored`,
      )
      .execute(db);
  await add('office', ['name', 'legal_name', 'email', 'mls_id', 'address_city']);
  await add('agent', [
    ...['first_name', 'middle_name', 'last_name', 'nickname', 'display_name'],
    ...['email', 'mls_id', 'address_city'],
  ]);
}

async function indexes(db: Kysely<unknown>): Promise<void> {
  const index = (table: string, name: string, definition: string) =>
    sql.raw(`create index ${table}_${name}_idx on ${table} ${definition}`).execute(db);
  // The e-mail of an agent is unique ignoring case; that of an office is only looked up by. Unicode's rules for
  // letters, whatever those of the database are: in the locale C `lower` knows none but the 26.
  const folded = `(lower(email collate "und-x-icu"))`;
  await sql.raw(`create unique index agent_email_key on agent ${folded}`).execute(db);
  await index('office', 'email', folded);
  for (const [table, name] of [
    ['office', 'name'],
    ['agent', 'last_name'],
  ] as const) {
    await index(table, name, `(${name}, id)`);
    await index(table, 'created_at', '(created_at, id)');
    await index(table, 'updated_at', '(updated_at, id)');
    await index(table, 'inactive', `(deactivated_at, id) where status = 'inactive'`);
    await index(table, 'search', 'using gin (search_text gin_trgm_ops)');
    await index(table, 'licenses', 'using gin (licenses jsonb_path_ops)');
    await index(table, 'mls_id', '(mls_id)');
    await index(table, 'source_key', '(source_key)');
    await index(table, 'region', '(address_country, address_region)');
    await index(table, 'only_region', '(address_region)');
  }
  await index('agent', 'office_id', '(office_id, created_at, id)');
  await index(
    'agent',
    'assistant_to_agent_id',
    '(assistant_to_agent_id) where assistant_to_agent_id is not null',
  );
  await index(
    'office',
    'main_office_id',
    '(main_office_id, created_at, id) where main_office_id is not null',
  );
  await index('office', 'broker_agent_id', '(broker_agent_id) where broker_agent_id is not null');
  await index('office', 'manager_agent_id', '(manager_agent_id) where manager_agent_id is not null');
}

/**
 * No office is, over any number of steps, its own main office. Two updates at once could each be right
 * alone and close a circle together, so changes of a main office wait for one another.
 */
async function officeHierarchy(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function office_hierarchy_check() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        perform pg_advisory_xact_lock(hashtext('office_hierarchy'));
      end if;
      if exists (
        with recursive above (id) as (
          select new.main_office_id
          union
          select office.main_office_id from office join above using (id) where office.main_office_id is not null
        )
        select from above where id = new.id
      ) then
        raise exception 'an office cannot be above itself'
          using errcode = 'check_violation', constraint = 'office_main_office_cycle_check', table = 'office';
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger office_main_office_cycle_check
    after insert or update of main_office_id on office
    for each row when (new.main_office_id is not null)
    execute function office_hierarchy_check()`.execute(db);
}

/**
 * An inactive office takes no agents: none is created in it, moved into it or reactivated in it. The share
 * lock makes a deactivation of the office and an arrival wait for each other, so neither misses the other.
 */
async function activeOffices(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function agent_office_active_check() returns trigger language plpgsql as $$
    declare
      office_status text;
    begin
      select status into office_status from office where id = new.office_id for share;
      if office_status = 'inactive' then
        raise exception 'an inactive office takes no agents'
          using errcode = 'check_violation', constraint = 'agent_office_active_check', table = 'agent';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger agent_arrives before insert on agent
    for each row when (new.office_id is not null and new.status = 'active')
    execute function agent_office_active_check()`.execute(db);
  await sql`
    create trigger agent_moves before update of office_id, status on agent
    for each row when (
      new.office_id is not null
      and (new.office_id is distinct from old.office_id
           or (new.status = 'active' and old.status <> 'active')))
    execute function agent_office_active_check()`.execute(db);
}
