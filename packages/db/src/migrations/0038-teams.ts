import { type Kysely, sql } from 'kysely';

/**
 * Teams, in which agents work, often of several offices. The members are a list of `{ agentId, role, title, since, until }` in JSON, in
 * the order of the agents' ids, and a table derived from it, which holds the references and finds the teams of an agent.
 *
 * Servers of the release before neither read nor write teams. The checks of the tables that name resources are replaced by wider ones
 * under their names, `not valid`, because what was inserted before satisfied the narrower ones: no scan holds the lock of a table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await memberRules(db);
  for (const { column, base, rule } of domains)
    await run(db, `create domain team_${column} as ${base} constraint team_${column}_check check (${rule})`);
  await run(db, `create table team (${columns})`);
  await indexes(db);
  await derivedTable(db);
  await derivingRows(db);
  await leavingOfDeletedAgents(db);
  await recordTriggers(db);
  await widerChecks(db);
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

interface Rule {
  column: string;
  base: string;
  rule: string;
}

const lengths: Record<string, number> = {
  status_reason: 500,
  source_name: 255,
  source_key: 255,
  description: 4000,
  mls_id: 50,
  phone: 32,
  phone_ext: 10,
  office_phone: 32,
  office_phone_ext: 10,
  mobile_phone: 32,
  direct_phone: 32,
  toll_free_phone: 32,
  fax: 32,
  email: 254,
  website: 2048,
  address_line1: 100,
  address_line2: 100,
  address_city: 100,
  address_county: 100,
  address_region: 3,
  address_postal_code: 16,
};

/** The rules of one column, each a domain with the name of the table and the column. */
const domains: Rule[] = [
  ...Object.entries(lengths).map(([column, length]) => ({
    column,
    base: 'text',
    rule: `char_length(value) between 1 and ${length}`,
  })),
  { column: 'name', base: 'text collate "und-x-icu"', rule: 'char_length(value) between 1 and 255' },
  { column: 'address_country', base: 'text', rule: `value ~ '^[A-Z]{2}$'` },
  {
    column: 'social_links',
    base: 'text[]',
    rule: `value = '{}' or texts_within(value, 10, 2048)`,
  },
  { column: 'metadata', base: 'jsonb', rule: `value = '{}' or metadata_within(value)` },
  { column: 'members', base: 'jsonb', rule: `value = '[]' or team_members_within(value, 100)` },
];

const texts = (...names: string[]) => names.map((name) => `${name} team_${name}`).join(', ');

const columns = `
  id uuid primary key,
  status text not null default 'active' constraint team_status_check check (status in ('active', 'inactive')),
  ${texts('status_reason')},
  status_changed_at timestamptz(3) not null,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer not null default 1 constraint team_version_check check (version >= 1),
  name team_name not null,
  ${texts('description', 'mls_id')},
  office_id uuid constraint team_office_id_fkey references office (id),
  members team_members not null default '[]'
    constraint team_members_lead_check check (members = '[]' or has_one_lead(members)),
  ${texts('phone', 'phone_ext', 'office_phone', 'office_phone_ext', 'mobile_phone', 'direct_phone')},
  ${texts('toll_free_phone', 'fax', 'email', 'website')},
  social_links team_social_links not null default '{}',
  ${texts('address_line1', 'address_line2', 'address_city', 'address_county', 'address_region')},
  ${texts('address_postal_code', 'address_country', 'source_name', 'source_key')},
  metadata team_metadata not null default '{}',
  scheduled_changes jsonb not null default '[]',
  search_text text collate "C",
  record json,
  record_shape smallint,
  constraint team_deactivated_check check ((status = 'inactive') = (deactivated_at is not null)),
  constraint team_source_check check ((source_name is null) = (source_key is null)),
  constraint team_source_key unique (source_name, source_key)`;

/**
 * The rules of a list of members: who they are, each at most once; and that two leads are not leads on the same day. A day is text,
 * `YYYY-MM-DD`, which has the order of the days in the collation C.
 */
async function memberRules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function team_members_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where item ->> 'agentId' is null
                         or char_length(coalesce(item ->> 'role', '')) not between 1 and 40
                         or char_length(item ->> 'title') not between 1 and 100
                         or (item ->> 'until') collate "C" < item ->> 'since')
      and (select count(distinct item ->> 'agentId') = count(*) from jsonb_array_elements(items) as item)`.execute(
    db,
  );
  await sql`
    create function has_one_lead(items jsonb) returns boolean
    language sql immutable parallel safe
    return not exists (
      select from (
        select (coalesce(item ->> 'since', '')) collate "C" as since,
          lag(coalesce(item ->> 'until', '~')) over (order by (coalesce(item ->> 'since', '')) collate "C") as until_before
        from jsonb_array_elements(items) as item where item ->> 'role' = 'lead'
      ) as leads
      where since <= until_before)`.execute(db);
}

/** The indexes that the tables of the other resources have too. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, definition: string) =>
    run(db, `create index team_${name}_idx on team ${definition}`);
  const endOf = (column: string) =>
    `right(regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)`;
  const telephones = ['phone', 'office_phone', 'mobile_phone', 'direct_phone', 'toll_free_phone', 'fax'];
  await index('name', '(name, id)');
  await index('created_at', '(created_at, id)');
  await index('updated_at', '(updated_at, id)');
  await index('inactive', `(deactivated_at, id) where status = 'inactive'`);
  await index('search', 'using gin (search_text gin_trgm_ops)');
  await index('email', '(lower(email collate "und-x-icu"))');
  await index('mls_id', '(mls_id)');
  await index('source_key', '(source_key)');
  await index('region', '(address_country, address_region)');
  await index('region_name', '(address_region, name, id)');
  await index('city_name', '((lower(address_city collate "und-x-icu")), name, id)');
  await index('office_id', '(office_id, created_at, id)');
  await index('office_name', '(office_id, name, id) include (updated_at)');
  await index('telephone', `using gin ((array[${telephones.map(endOf).join(', ')}]))`);
}

/** The references of the members; triggers write the rows. */
async function derivedTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table team_member (
      team_id uuid not null constraint team_member_team_id_fkey references team (id) on delete cascade,
      agent_id uuid not null constraint team_member_agent_id_fkey references agent (id) on delete cascade,
      primary key (team_id, agent_id)
    )`.execute(db);
  await sql`create index team_member_agent_idx on team_member (agent_id, team_id)`.execute(db);
}

/** Keeps the derived rows. */
async function derivingRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function team_members_derive() returns trigger language plpgsql as $$
    declare
      held jsonb := case when tg_op = 'UPDATE' then old.members else '[]' end;
    begin
      delete from team_member
      where team_id = new.id and held <> '[]'
        and agent_id not in (
          select (item ->> 'agentId')::uuid from jsonb_array_elements(new.members) as item
        );
      insert into team_member (team_id, agent_id)
      select new.id, agent_id from (
        select (item ->> 'agentId')::uuid as agent_id from jsonb_array_elements(new.members) as item
        except
        select (item ->> 'agentId')::uuid from jsonb_array_elements(held) as item
        order by agent_id
      ) as arrived;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger team_members_arrive after insert on team
    for each row when (new.members <> '[]')
    execute function team_members_derive()`.execute(db);
  await sql`
    create trigger team_members_change after update on team
    for each row when (new.members is distinct from old.members)
    execute function team_members_derive()`.execute(db);
}

/**
 * An agent who is deleted leaves the teams, each with its event, also if a server of the release before deletes the agent. The cause of
 * these events is that of the event of the agent.
 */
async function leavingOfDeletedAgents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function team_member_leaves() returns trigger language plpgsql as $$
    declare
      before team;
      after team;
      cause event;
    begin
      if exists (select from agent where id = old.agent_id) then
        return null;
      end if;
      select * into before from team where id = old.team_id for no key update;
      if not found then
        return null;
      end if;
      select * into cause from event
      where subject_id = old.agent_id and type = 'agent.deleted' order by id desc limit 1;
      update team
      set version = version + 1,
        updated_at = greatest(coalesce(cause.occurred_at, clock_timestamp()), updated_at),
        members = (
          select coalesce(jsonb_agg(item order by place), '[]')
          from jsonb_array_elements(members) with ordinality as held (item, place)
          where item ->> 'agentId' <> old.agent_id::text
        )
      where id = old.team_id returning * into after;
      insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details)
      values ('team.updated', after.id, after.version, coalesce(cause.occurred_at, clock_timestamp()), cause.actor_id,
        cause.request_id, cause.reason, after.record, (
          select coalesce(json_object_agg(was.key, was.value), '{}')
          from json_each(before.record) as was join json_each(after.record) as became using (key)
          where was.value::text <> became.value::text
        ), cause.details);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger team_member_leaves after delete on team_member
    for each row execute function team_member_leaves()`.execute(db);
}

/**
 * The triggers that the tables of all records have. The function that builds the JSON is replaced when the schemas of the API are
 * known, as after every migration.
 */
async function recordTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function team_keep() returns trigger language plpgsql as $$
    begin
      return new;
    end $$`.execute(db);
  await sql`
    create trigger team_is_kept before insert or update on team
    for each row execute function team_keep()`.execute(db);
  await sql`
    create trigger team_cancels after delete on team
    for each row when (old.scheduled_changes <> '[]') execute function cancel_scheduled_changes()`.execute(
    db,
  );
  await sql`
    create trigger team_begins before insert on team
    for each row when (new.scheduled_changes <> '[]') execute function have_no_scheduled_changes()`.execute(
    db,
  );
}

/** The checks that name the resources, with teams among them. */
async function widerChecks(db: Kysely<unknown>): Promise<void> {
  const resources = {
    tombstone: 'collection',
    scheduled_change: 'resource',
    job: 'resource',
    saved_view: 'resource',
  };
  const widen = (table: string, name: string, rule: string) =>
    run(db, `alter table ${table} drop constraint ${name}, add constraint ${name} check (${rule}) not valid`);
  for (const [table, column] of Object.entries(resources))
    await widen(table, `${table}_${column}_check`, `${column} in ('offices', 'agents', 'teams')`);
  const verbs = 'created|updated|deactivated|reactivated|deleted|restored|purged|change_failed|merged';
  await widen(
    'event',
    'event_type_check',
    `type ~ '^((office|agent|team)\\.(${verbs})|(office|agent)\\.license_expiring|agent\\.transferred)$'`,
  );
}
