/**
 * Records that may be the same, and records that were merged. A merged record is still found by its id, its source and its email address.
 * No foreign key: a survivor may be deleted, or be merged itself.
 */
export const mergesAndDuplicates = [
  `create function highest_role(grants jsonb, offices uuid[]) returns integer language sql stable as $$
    select coalesce(max(array_position(array['viewer', 'editor', 'manager', 'admin'], held ->> 'role')), 0)
    from jsonb_array_elements(grants) as one (held)
    where held -> 'officeIds' = 'null' or exists (
      select from jsonb_array_elements_text(held -> 'officeIds') as named (office_id) where office_id::uuid = any(offices))
$$`,
  // Also what moved with a merged record, which an undo brings back.
  `create table record_merge (
  id uuid not null,
  collection text not null,
  survivor_id uuid not null,
  duplicate_id uuid not null,
  source_name text,
  source_key text,
  merged_at timestamptz(3) not null,
  merged_by uuid,
  moved jsonb not null,
  undone_at timestamptz(3),
  email text,
  name text,
  constraint record_merge_self_check check (survivor_id <> duplicate_id),
  constraint record_merge_pkey primary key (id)
)`,
  `create unique index record_merge_duplicate_key on record_merge (duplicate_id) where (undone_at is null)`,
  `create index record_merge_email_idx on record_merge (collection, lower((email collate "und-x-icu"))) where ((undone_at is null) and (email is not null))`,
  `create index record_merge_name_idx on record_merge (collection, upper((normalize(name, nfkc) collate "und-x-icu")) collate "C") where ((undone_at is null) and (name is not null))`,
  `create index record_merge_source_idx on record_merge (collection, source_name, source_key) where ((undone_at is null) and (source_name is not null))`,
  `create index record_merge_survivor_idx on record_merge (survivor_id)`,
  // The progress of the comparison of a resource: by the log, and before that through all existing records.
  `create table comparison (
  collection text not null,
  rules integer not null,
  "position" bigint not null,
  compared_to uuid,
  is_complete boolean default false not null,
  constraint comparison_pkey primary key (collection)
)`,
  `create table compared_record (
  collection text not null,
  id uuid not null,
  keys bigint[] not null,
  constraint compared_record_pkey primary key (collection, id)
)`,
  // Without a pending list: each key of a record is looked up as soon as it is written.
  `create index compared_record_keys_idx on compared_record using gin (keys) with (fastupdate=off)`,
  `create table duplicate_pair (
  id uuid not null,
  collection text not null,
  first_id uuid not null,
  second_id uuid not null,
  score numeric(3,2) not null,
  kinds text[] not null,
  reasons jsonb not null,
  found_at timestamptz(3) not null,
  dismissed_at timestamptz(3),
  dismissed_by uuid,
  dismissal_reason text,
  constraint duplicate_pair_dismissal_check check ((dismissed_at is not null) or ((dismissed_by is null) and (dismissal_reason is null))),
  constraint duplicate_pair_order_check check (first_id < second_id),
  constraint duplicate_pair_score_check check ((score >= (0)::numeric) and (score <= (1)::numeric)),
  constraint duplicate_pair_pkey primary key (id),
  constraint duplicate_pair_records_key unique (collection, first_id, second_id)
)`,
  `create index duplicate_pair_score_idx on duplicate_pair (collection, score, id)`,
  `create index duplicate_pair_second_idx on duplicate_pair (collection, second_id)`,
  // The record that a merged one is found as, over any number of merges; null if it was not merged.
  `create function merged_into(merged uuid) returns uuid language sql stable as $$
    with recursive survivor (id, depth) as (
      select survivor_id, 1 from record_merge where duplicate_id = merged and undone_at is null
      union all
      select survivor_id, depth + 1 from record_merge join survivor on duplicate_id = survivor.id where undone_at is null
    )
    select id from survivor order by depth desc limit 1
$$`,
  `create function office_merged_ids(office_id uuid) returns uuid[] language sql stable as $$
    with recursive known (id) as (
      select office_id
      union
      select duplicate_id from record_merge join known on survivor_id = known.id where undone_at is null
    )
    select array_agg(id) from known
$$`,
  // A merged record keeps its source and its email address as long as they lead to a survivor. After the row: a row with the
  // key of a record that is just being merged waits for that merge in the unique index.
  `create function agent_merged_email_key() returns trigger language plpgsql as $$
  declare
    survivor uuid;
  begin
    
    select agent.id into survivor from record_merge join agent on agent.id = merged_into(duplicate_id)
    where collection = 'agents' and undone_at is null and lower(record_merge.email collate "und-x-icu") = lower(new.email collate "und-x-icu") order by merged_at desc limit 1;
    if survivor <> new.id then
      raise exception 'the key of a record that was merged leads to %', survivor
        using errcode = 'unique_violation', constraint = 'agent_merged_email_key', table = 'agent', detail = survivor;
    end if;
    return null;
  end
$$`,
  `create function agent_merged_source_key() returns trigger language plpgsql as $$
  declare
    survivor uuid;
  begin
    
    select agent.id into survivor from record_merge join agent on agent.id = merged_into(duplicate_id)
    where collection = 'agents' and undone_at is null and (record_merge.source_name, record_merge.source_key) = (new.source_name, new.source_key) order by merged_at desc limit 1;
    if survivor <> new.id then
      raise exception 'the key of a record that was merged leads to %', survivor
        using errcode = 'unique_violation', constraint = 'agent_merged_source_key', table = 'agent', detail = survivor;
    end if;
    return null;
  end
$$`,
  // The IDs by which a limit can name an office: its own, those that were merged into it, and those of the offices above.
  `create function office_limiting_ids(office_id uuid) returns uuid[] language sql stable as $$
    with recursive above (id) as (
      select office_id
      union
      select main_office_id from office join above on office.id = above.id where main_office_id is not null
    )
    select array_agg(known) from above cross join lateral unnest(office_merged_ids(above.id)) as known
$$`,
  `create function office_merged_source_key() returns trigger language plpgsql as $$
  declare
    survivor uuid;
  begin
    
    select office.id into survivor from record_merge join office on office.id = merged_into(duplicate_id)
    where collection = 'offices' and undone_at is null and (record_merge.source_name, record_merge.source_key) = (new.source_name, new.source_key) order by merged_at desc limit 1;
    if survivor <> new.id then
      raise exception 'the key of a record that was merged leads to %', survivor
        using errcode = 'unique_violation', constraint = 'office_merged_source_key', table = 'office', detail = survivor;
    end if;
    return null;
  end
$$`,
  `create function team_merged_source_key() returns trigger language plpgsql as $$
  declare
    survivor uuid;
  begin
    
    select team.id into survivor from record_merge join team on team.id = merged_into(duplicate_id)
    where collection = 'teams' and undone_at is null and (record_merge.source_name, record_merge.source_key) = (new.source_name, new.source_key) order by merged_at desc limit 1;
    if survivor <> new.id then
      raise exception 'the key of a record that was merged leads to %', survivor
        using errcode = 'unique_violation', constraint = 'team_merged_source_key', table = 'team', detail = survivor;
    end if;
    return null;
  end
$$`,
  // The person who moves an office gets no rights over it by that. The actor is the one of the event, which the same
  // statement writes. A key has the same rights over all of its offices.
  `create function office_move_gives_no_rights() returns trigger language plpgsql as $$
  declare
    held jsonb;
  begin
    select person.grants into held from event join person on person.id = event.actor_id
    where event.subject_id = new.id and event.version = new.version;
    if highest_role(held, office_limiting_ids(new.main_office_id)) >
      highest_role(held, office_merged_ids(new.id) || office_limiting_ids(old.main_office_id))
    then
      raise exception 'the move of office % gives its actor rights over it', new.id
        using errcode = 'check_violation', constraint = 'office_main_office_rights_check', table = 'office';
    end if;
    return null;
  end
$$`,
  `create trigger agent_merged_email_key after insert on agent
  for each row when ((new.email is not null)) execute function agent_merged_email_key()`,
  `create trigger agent_merged_email_key_of_change after update of email on agent
  for each row when (((new.email is not null) and ((new.email)::text is distinct from (old.email)::text))) execute function agent_merged_email_key()`,
  `create trigger agent_merged_source_key after insert on agent
  for each row when ((new.source_name is not null)) execute function agent_merged_source_key()`,
  `create trigger agent_merged_source_key_of_change after update of source_name, source_key on agent
  for each row when (((new.source_name is not null) and (((new.source_name)::text is distinct from (old.source_name)::text) or ((new.source_key)::text is distinct from (old.source_key)::text)))) execute function agent_merged_source_key()`,
  `create trigger office_main_office_rights_check after update of main_office_id on office
  for each row when (((new.main_office_id is distinct from old.main_office_id) and (new.main_office_id is not null))) execute function office_move_gives_no_rights()`,
  `create trigger office_merged_source_key after insert on office
  for each row when ((new.source_name is not null)) execute function office_merged_source_key()`,
  `create trigger office_merged_source_key_of_change after update of source_name, source_key on office
  for each row when (((new.source_name is not null) and (((new.source_name)::text is distinct from (old.source_name)::text) or ((new.source_key)::text is distinct from (old.source_key)::text)))) execute function office_merged_source_key()`,
  `create trigger office_merges_change after insert or update of undone_at on record_merge
  for each row when ((new.collection = 'offices')) execute function office_tree_changed()`,
  `create trigger team_merged_source_key after insert on team
  for each row when ((new.source_name is not null)) execute function team_merged_source_key()`,
  `create trigger team_merged_source_key_of_change after update of source_name, source_key on team
  for each row when (((new.source_name is not null) and (((new.source_name)::text is distinct from (old.source_name)::text) or ((new.source_key)::text is distinct from (old.source_key)::text)))) execute function team_merged_source_key()`,
];
