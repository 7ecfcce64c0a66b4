import { type Kysely, sql } from 'kysely';

/**
 * The offices that an agent belongs to beside the one of `office_id`: a list of `{ officeId, title, isVisible, since }` in
 * JSON, and a table derived from it, which holds the references, counts the agents of an office and finds them.
 *
 * Triggers of one table run in the order of their names: `agent_affiliations_follow` before `agent_is_kept`, which builds
 * the record's JSON.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await column(db);
  await derivedTable(db);
  await followingThePrimaryOffice(db);
  await derivingRows(db);
}

async function column(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function affiliations_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where item ->> 'officeId' is null
                         or char_length(item ->> 'title') not between 1 and 100
                         or jsonb_typeof(item -> 'isVisible') is distinct from 'boolean')
      and (select count(distinct item ->> 'officeId') = count(*) from jsonb_array_elements(items) as item)`.execute(
    db,
  );
  await sql`create domain agent_affiliations as jsonb`.execute(db);
  await sql`alter table agent add affiliations agent_affiliations not null default '[]'`.execute(db);
  // Not with the domain: PostgreSQL would rewrite the table for a column whose domain has a rule.
  await sql`
    alter domain agent_affiliations add constraint agent_affiliations_check
      check (value = '[]' or affiliations_within(value, 20)) not valid`.execute(db);
}

/**
 * `agent_created_at` never changes; with it the agents of an office are read in the order of their creation. No column has
 * the name of one of `agent`, so that conditions on agents apply to a join of the two.
 */
async function derivedTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_affiliation (
      agent_id uuid not null constraint agent_affiliation_agent_id_fkey references agent (id) on delete cascade,
      affiliated_office_id uuid not null constraint agent_affiliation_office_id_fkey references office (id),
      agent_created_at timestamptz(3) not null,
      primary key (agent_id, affiliated_office_id)
    )`.execute(db);
  await sql`
    create index agent_affiliation_office_idx
      on agent_affiliation (affiliated_office_id, agent_created_at, agent_id)`.execute(db);
}

/**
 * The primary office is no affiliation. An agent who moves to an office that they are affiliated with loses that affiliation
 * by the same change; a list that adds the primary office is rejected.
 */
async function followingThePrimaryOffice(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function agent_affiliations_follow() returns trigger language plpgsql as $$
    declare
      with_primary constant jsonb := jsonb_build_array(jsonb_build_object('officeId', new.office_id));
    begin
      if not new.affiliations @> with_primary then
        return new;
      end if;
      if tg_op = 'UPDATE' and old.affiliations @> with_primary then
        new.affiliations := (
          select coalesce(jsonb_agg(item order by place), '[]')
          from jsonb_array_elements(new.affiliations) with ordinality as held (item, place)
          where item ->> 'officeId' <> new.office_id::text
        );
        return new;
      end if;
      raise exception 'the primary office is no affiliation'
        using errcode = 'check_violation', constraint = 'agent_affiliations_primary_check', table = 'agent';
    end $$`.execute(db);
  await sql`
    create trigger agent_affiliations_follow before insert or update of office_id, affiliations on agent
    for each row when (new.office_id is not null and new.affiliations <> '[]')
    execute function agent_affiliations_follow()`.execute(db);
}

/**
 * Keeps the derived rows. An inactive office takes no new affiliation: none of an active agent who is created or restored,
 * none in a change. The share lock makes a deactivation of the office and an arrival wait for each other; offices are locked
 * in the order of their ids.
 */
async function derivingRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function agent_affiliations_derive() returns trigger language plpgsql as $$
    declare
      held jsonb := case when tg_op = 'UPDATE' then old.affiliations else '[]' end;
      arrived uuid[];
    begin
      delete from agent_affiliation
      where agent_id = new.id and held <> '[]'
        and affiliated_office_id not in (
          select (item ->> 'officeId')::uuid from jsonb_array_elements(new.affiliations) as item
        );
      arrived := array(
        select (item ->> 'officeId')::uuid from jsonb_array_elements(new.affiliations) as item
        except
        select (item ->> 'officeId')::uuid from jsonb_array_elements(held) as item
      );
      if tg_op = 'UPDATE' or new.status = 'active' then
        perform from office where id = any(arrived) order by id for share;
        if exists (select from office where id = any(arrived) and status = 'inactive') then
          raise exception 'an inactive office takes no agents'
            using errcode = 'check_violation', constraint = 'agent_affiliations_office_active_check', table = 'agent';
        end if;
      end if;
      insert into agent_affiliation (agent_id, affiliated_office_id, agent_created_at)
      select new.id, office_id, new.created_at from unnest(arrived) as office_id;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger agent_affiliations_arrive after insert on agent
    for each row when (new.affiliations <> '[]')
    execute function agent_affiliations_derive()`.execute(db);
  await sql`
    create trigger agent_affiliations_change after update on agent
    for each row when (new.affiliations is distinct from old.affiliations)
    execute function agent_affiliations_derive()`.execute(db);
}
