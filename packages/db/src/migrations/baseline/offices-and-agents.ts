/**
 * Offices, agents and teams, and the tombstones of deleted ones. Every rule that a constraint can hold is one here and has a name: the API
 * maps names to errors and checks nothing twice. A row keeps its JSON (`record`), which a trigger builds when the row is written. The
 * function of that trigger follows from the schemas of the API and is replaced by the repeatable migrations.
 */
export const officesAndAgents = [
  // Licence numbers as they are compared: letters and digits in capitals. resources/sameness/licenses.ts has the same rule.
  `create function license_number_keys(licenses jsonb) returns text[] language plpgsql immutable parallel safe as $$
  declare
    keys text[] := '{}';
    capitals text;
  begin
    for place in 0 .. jsonb_array_length(licenses) - 1 loop
      capitals := normalize(upper(normalize(licenses -> place ->> 'number', nfkc) collate "und-x-icu"), nfc);
      keys := keys || coalesce(nullif(regexp_replace(capitals, '[\\t\\n\\r\\u0020-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u2212\\u2215\\u3000-\\u3003\\u3008-\\u3020\\u3030]+', '', 'g'), ''), capitals);
    end loop;
    return keys;
  end
$$`,
  // The earliest last day, as text: it has the order of the days in the collation C, and no cast fails.
  `create function next_license_expiry(licenses jsonb) returns text language plpgsql immutable parallel safe as $$
  declare
    earliest text collate "C";
  begin
    for place in 0 .. jsonb_array_length(licenses) - 1 loop
      earliest := least(earliest, licenses -> place ->> 'expiresOn');
    end loop;
    return earliest;
  end
$$`,
  `create table office (
  id uuid not null,
  status text default 'active' not null,
  status_reason office_status_reason,
  status_changed_at timestamptz(3) not null,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer default 1 not null,
  source_name office_source_name,
  source_key office_source_key,
  metadata office_metadata default '{}' not null,
  name office_name not null,
  legal_name office_legal_name,
  branch_type text,
  type office_type,
  main_office_id uuid,
  broker_agent_id uuid,
  manager_agent_id uuid,
  franchise office_franchise,
  mls_id office_mls_id,
  national_association_id office_national_association_id,
  licenses office_licenses default '[]' not null,
  phone office_phone,
  phone_ext office_phone_ext,
  fax office_fax,
  email office_email,
  website office_website,
  address_line1 office_address_line1,
  address_line2 office_address_line2,
  address_city office_address_city,
  address_county office_address_county,
  address_region office_address_region,
  address_postal_code office_address_postal_code,
  address_country office_address_country,
  mailing_address_line1 office_mailing_address_line1,
  mailing_address_line2 office_mailing_address_line2,
  mailing_address_city office_mailing_address_city,
  mailing_address_county office_mailing_address_county,
  mailing_address_region office_mailing_address_region,
  mailing_address_postal_code office_mailing_address_postal_code,
  mailing_address_country office_mailing_address_country,
  time_zone office_time_zone,
  bio office_bio,
  search_text text collate "C",
  record json,
  record_shape smallint,
  scheduled_changes jsonb default '[]' not null,
  constraint office_branch_type_check check (branch_type in ('main', 'branch', 'stand_alone')),
  constraint office_deactivated_check check ((status = 'inactive') = (deactivated_at is not null)),
  constraint office_main_office_self_check check (main_office_id <> id),
  constraint office_source_check check ((source_name is null) = (source_key is null)),
  constraint office_status_check check (status in ('active', 'inactive')),
  constraint office_version_check check (version >= 1),
  constraint office_pkey primary key (id),
  constraint office_source_key unique (source_name, source_key),
  constraint office_main_office_id_fkey foreign key (main_office_id) references office (id)
)`,
  `create index office_broker_agent_id_idx on office (broker_agent_id) where (broker_agent_id is not null)`,
  `create index office_city_name_idx on office (lower(((address_city)::text collate "und-x-icu")), name, id)`,
  `create index office_created_at_idx on office (created_at, id)`,
  `create index office_email_idx on office (lower(((email)::text collate "und-x-icu")))`,
  // Unicode rules for letters, in capitals: small letters can differ by their place in a word (Σ is σ or ς).
  `create index office_folded_name_idx on office (upper((normalize(name, nfkc) collate "und-x-icu")) collate "C")`,
  `create index office_inactive_idx on office (deactivated_at, id) where (status = 'inactive')`,
  `create index office_license_expiry_desc_idx on office (coalesce(next_license_expiry((licenses)::jsonb), '') collate "C", id)`,
  // Records without a last day come last in both directions, so each direction has an index.
  `create index office_license_expiry_idx on office (coalesce(next_license_expiry((licenses)::jsonb), '~') collate "C", id)`,
  `create index office_license_number_idx on office using gin (license_number_keys((licenses)::jsonb))`,
  `create index office_main_office_id_idx on office (main_office_id, created_at, id) where (main_office_id is not null)`,
  `create index office_manager_agent_id_idx on office (manager_agent_id) where (manager_agent_id is not null)`,
  `create index office_mls_id_idx on office (mls_id)`,
  `create index office_name_idx on office (name, id)`,
  `create index office_region_idx on office (address_country, address_region)`,
  `create index office_region_name_idx on office (address_region, name, id)`,
  `create index office_search_idx on office using gin (search_text gin_trgm_ops)`,
  // Records whose name is the searched text come first. A name may be longer than what fits into an index.
  `create index office_shown_name_idx on office ("left"(split_part(search_text, '|', 2), 200))`,
  `create index office_source_key_idx on office (source_key)`,
  `create index office_stale_idx on office (id) where (record_shape is distinct from 1)`,
  // The last seven digits of each phone number without its extension: a search finds it in any form.
  `create index office_telephone_idx on office using gin ((array["right"(regexp_replace("substring"((phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((fax)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)]))`,
  `create index office_updated_at_idx on office (updated_at, id)`,
  `create table agent (
  id uuid not null,
  status text default 'active' not null,
  status_reason agent_status_reason,
  status_changed_at timestamptz(3) not null,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer default 1 not null,
  source_name agent_source_name,
  source_key agent_source_key,
  metadata agent_metadata default '{}' not null,
  first_name agent_first_name not null,
  last_name agent_last_name not null,
  middle_name agent_middle_name,
  nickname agent_nickname,
  name_prefix agent_name_prefix,
  name_suffix agent_name_suffix,
  display_name agent_display_name,
  title agent_title,
  type agent_type,
  office_id uuid,
  transferred_at timestamptz(3),
  email agent_email,
  phone agent_phone,
  phone_ext agent_phone_ext,
  mobile_phone agent_mobile_phone,
  direct_phone agent_direct_phone,
  fax agent_fax,
  mls_id agent_mls_id,
  national_association_id agent_national_association_id,
  licenses agent_licenses default '[]' not null,
  address_line1 agent_address_line1,
  address_line2 agent_address_line2,
  address_city agent_address_city,
  address_county agent_address_county,
  address_region agent_address_region,
  address_postal_code agent_address_postal_code,
  address_country agent_address_country,
  languages agent_languages default '{}' not null,
  designations agent_designations default '{}' not null,
  assistant_to_agent_id uuid,
  website agent_website,
  photo_url agent_photo_url,
  bio agent_bio,
  search_text text collate "C",
  record json,
  record_shape smallint,
  affiliations agent_affiliations default '[]' not null,
  scheduled_changes jsonb default '[]' not null,
  constraint agent_assistant_to_self_check check (assistant_to_agent_id <> id),
  constraint agent_deactivated_check check ((status = 'inactive') = (deactivated_at is not null)),
  constraint agent_source_check check ((source_name is null) = (source_key is null)),
  constraint agent_status_check check (status in ('active', 'inactive')),
  constraint agent_version_check check (version >= 1),
  constraint agent_pkey primary key (id),
  constraint agent_source_key unique (source_name, source_key),
  constraint agent_assistant_to_agent_id_fkey foreign key (assistant_to_agent_id) references agent (id),
  constraint agent_office_id_fkey foreign key (office_id) references office (id)
)`,
  `alter table office add constraint office_broker_agent_id_fkey foreign key (broker_agent_id) references agent (id)`,
  `alter table office add constraint office_manager_agent_id_fkey foreign key (manager_agent_id) references agent (id)`,
  `create index agent_assistant_to_agent_id_idx on agent (assistant_to_agent_id) where (assistant_to_agent_id is not null)`,
  `create index agent_by_first_name_idx on agent (first_name, last_name, id)`,
  `create index agent_by_last_name_idx on agent (last_name, first_name, id)`,
  `create index agent_city_by_name_idx on agent (lower(((address_city)::text collate "und-x-icu")), last_name, first_name, id)`,
  `create index agent_created_at_idx on agent (created_at, id)`,
  `create unique index agent_email_key on agent (lower(((email)::text collate "und-x-icu")))`,
  `create index agent_inactive_idx on agent (deactivated_at, id) where (status = 'inactive')`,
  `create index agent_inactive_office_idx on agent (office_id) where ((status = 'inactive') and (office_id is not null))`,
  `create index agent_license_expiry_desc_idx on agent (coalesce(next_license_expiry((licenses)::jsonb), '') collate "C", id)`,
  `create index agent_license_expiry_idx on agent (coalesce(next_license_expiry((licenses)::jsonb), '~') collate "C", id)`,
  `create index agent_license_number_idx on agent using gin (license_number_keys((licenses)::jsonb))`,
  `create index agent_mls_id_idx on agent (mls_id)`,
  `create index agent_office_by_name_idx on agent (office_id, last_name, first_name, id) include (updated_at)`,
  `create index agent_office_id_idx on agent (office_id, created_at, id)`,
  `create index agent_region_by_name_idx on agent (address_region, last_name, first_name, id)`,
  `create index agent_region_idx on agent (address_country, address_region)`,
  `create index agent_search_idx on agent using gin (search_text gin_trgm_ops)`,
  `create index agent_shown_name_idx on agent ("left"(split_part(search_text, '|', 2), 200))`,
  `create index agent_source_key_idx on agent (source_key)`,
  `create index agent_stale_idx on agent (id) where (record_shape is distinct from 1)`,
  `create index agent_telephone_idx on agent using gin ((array["right"(regexp_replace("substring"((phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((mobile_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((direct_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((fax)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)]))`,
  `create index agent_updated_at_idx on agent (updated_at, id)`,
  `create table team (
  id uuid not null,
  status text default 'active' not null,
  status_reason team_status_reason,
  status_changed_at timestamptz(3) not null,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version integer default 1 not null,
  name team_name not null,
  description team_description,
  mls_id team_mls_id,
  office_id uuid,
  members team_members default '[]' not null,
  phone team_phone,
  phone_ext team_phone_ext,
  office_phone team_office_phone,
  office_phone_ext team_office_phone_ext,
  mobile_phone team_mobile_phone,
  direct_phone team_direct_phone,
  toll_free_phone team_toll_free_phone,
  fax team_fax,
  email team_email,
  website team_website,
  social_links team_social_links default '{}' not null,
  address_line1 team_address_line1,
  address_line2 team_address_line2,
  address_city team_address_city,
  address_county team_address_county,
  address_region team_address_region,
  address_postal_code team_address_postal_code,
  address_country team_address_country,
  source_name team_source_name,
  source_key team_source_key,
  metadata team_metadata default '{}' not null,
  scheduled_changes jsonb default '[]' not null,
  search_text text collate "C",
  record json,
  record_shape smallint,
  constraint team_deactivated_check check ((status = 'inactive') = (deactivated_at is not null)),
  constraint team_members_lead_check check (((members)::jsonb = '[]') or has_one_lead((members)::jsonb)),
  constraint team_source_check check ((source_name is null) = (source_key is null)),
  constraint team_status_check check (status in ('active', 'inactive')),
  constraint team_version_check check (version >= 1),
  constraint team_pkey primary key (id),
  constraint team_source_key unique (source_name, source_key),
  constraint team_office_id_fkey foreign key (office_id) references office (id)
)`,
  `create index team_city_name_idx on team (lower(((address_city)::text collate "und-x-icu")), name, id)`,
  `create index team_created_at_idx on team (created_at, id)`,
  `create index team_email_idx on team (lower(((email)::text collate "und-x-icu")))`,
  `create index team_inactive_idx on team (deactivated_at, id) where (status = 'inactive')`,
  `create index team_mls_id_idx on team (mls_id)`,
  `create index team_name_idx on team (name, id)`,
  `create index team_office_id_idx on team (office_id, created_at, id)`,
  `create index team_office_name_idx on team (office_id, name, id) include (updated_at)`,
  `create index team_region_idx on team (address_country, address_region)`,
  `create index team_region_name_idx on team (address_region, name, id)`,
  `create index team_search_idx on team using gin (search_text gin_trgm_ops)`,
  `create index team_shown_name_idx on team ("left"(split_part(search_text, '|', 2), 200))`,
  `create index team_source_key_idx on team (source_key)`,
  `create index team_telephone_idx on team using gin ((array["right"(regexp_replace("substring"((phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((office_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((mobile_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((direct_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((toll_free_phone)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7), "right"(regexp_replace("substring"((fax)::text, '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)]))`,
  `create index team_updated_at_idx on team (updated_at, id)`,
  // Derived from `affiliations`: it holds the references, and counts and finds the agents of an office. `agent_created_at` never
  // changes, so the agents of an office are read in the order of their creation.
  `create table agent_affiliation (
  agent_id uuid not null,
  affiliated_office_id uuid not null,
  agent_created_at timestamptz(3) not null,
  constraint agent_affiliation_pkey primary key (agent_id, affiliated_office_id),
  constraint agent_affiliation_agent_id_fkey foreign key (agent_id) references agent (id) on delete cascade,
  constraint agent_affiliation_office_id_fkey foreign key (affiliated_office_id) references office (id)
)`,
  `create index agent_affiliation_office_idx on agent_affiliation (affiliated_office_id, agent_created_at, agent_id)`,
  // Derived from `members` of a team.
  `create table team_member (
  team_id uuid not null,
  agent_id uuid not null,
  constraint team_member_pkey primary key (team_id, agent_id),
  constraint team_member_agent_id_fkey foreign key (agent_id) references agent (id) on delete cascade,
  constraint team_member_team_id_fkey foreign key (team_id) references team (id) on delete cascade
)`,
  `create index team_member_agent_idx on team_member (agent_id, team_id)`,
  `create table tombstone (
  collection text not null,
  id uuid not null,
  record json not null,
  deleted_at timestamptz(3) not null,
  constraint tombstone_collection_check check (collection in ('offices', 'agents', 'teams')) not valid,
  constraint tombstone_pkey primary key (collection, id)
)`,
  `create index tombstone_deleted_at_idx on tombstone (deleted_at)`,
  // Notices of licences that expire. Each is given once.
  `create table license_notice (
  subject_id uuid not null,
  license jsonb not null,
  days_before integer not null,
  noticed_at timestamptz(3) not null,
  constraint license_notice_pkey primary key (subject_id, license, days_before)
)`,
  // Keeps the derived rows. An inactive office takes no new affiliation. The share lock makes a deactivation of the office and an
  // arrival wait for each other; offices are locked in the order of their IDs.
  `create function agent_affiliations_derive() returns trigger language plpgsql as $$
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
  end
$$`,
  // The primary office is no affiliation. An agent who moves to an affiliated office loses that affiliation by the same change.
  // Triggers of a table run in the order of their names: this one before the one that builds the JSON.
  `create function agent_affiliations_follow() returns trigger language plpgsql as $$
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
  end
$$`,
  `create function agent_keep() returns trigger language plpgsql as $$
begin
  return new;
end
$$`,
  // An inactive office takes no agents. The share lock makes a deactivation of the office and an arrival wait for each other.
  `create function agent_office_active_check() returns trigger language plpgsql as $$
  declare
    office_status text;
  begin
    select status into office_status from office where id = new.office_id for share;
    if office_status = 'inactive' then
      raise exception 'an inactive office takes no agents'
        using errcode = 'check_violation', constraint = 'agent_office_active_check', table = 'agent';
    end if;
    return new;
  end
$$`,
  // A deleted record cancels its pending changes.
  `create function cancel_scheduled_changes() returns trigger language plpgsql as $$
  begin
    update scheduled_change set status = 'cancelled', finished_at = clock_timestamp()
    where subject_id = old.id and status = 'pending';
    return null;
  end
$$`,
  `create function have_no_scheduled_changes() returns trigger language plpgsql as $$
  begin
    new.scheduled_changes := '[]';
    return new;
  end
$$`,
  // No office is its own main office over any number of steps. Two changes could each be right alone and close a circle
  // together, so changes of a main office wait for each other.
  `create function office_hierarchy_check() returns trigger language plpgsql as $$
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
  end
$$`,
  `create function office_keep() returns trigger language plpgsql as $$
begin
  return new;
end
$$`,
  `create function office_tree_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('roster_offices', '');
    return null;
  end
$$`,
  `create function team_keep() returns trigger language plpgsql as $$
begin
  return new;
end
$$`,
  `create function team_members_derive() returns trigger language plpgsql as $$
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
  end
$$`,
  `create trigger agent_affiliations_arrive after insert on agent
  for each row when (((new.affiliations)::jsonb <> '[]')) execute function agent_affiliations_derive()`,
  `create trigger agent_affiliations_change after update on agent
  for each row when (((new.affiliations)::jsonb is distinct from (old.affiliations)::jsonb)) execute function agent_affiliations_derive()`,
  `create trigger agent_affiliations_follow before insert or update of office_id, affiliations on agent
  for each row when (((new.office_id is not null) and ((new.affiliations)::jsonb <> '[]'))) execute function agent_affiliations_follow()`,
  `create trigger agent_arrives before insert on agent
  for each row when (((new.office_id is not null) and (new.status = 'active'))) execute function agent_office_active_check()`,
  `create trigger agent_begins before insert on agent
  for each row when ((new.scheduled_changes <> '[]')) execute function have_no_scheduled_changes()`,
  `create trigger agent_cancels after delete on agent
  for each row when ((old.scheduled_changes <> '[]')) execute function cancel_scheduled_changes()`,
  `create trigger agent_is_kept before insert or update on agent
  for each row execute function agent_keep()`,
  `create trigger agent_moves before update of office_id, status on agent
  for each row when (((new.office_id is not null) and ((new.office_id is distinct from old.office_id) or ((new.status = 'active') and (old.status <> 'active'))))) execute function agent_office_active_check()`,
  `create trigger office_begins before insert on office
  for each row when ((new.scheduled_changes <> '[]')) execute function have_no_scheduled_changes()`,
  `create trigger office_cancels after delete on office
  for each row when ((old.scheduled_changes <> '[]')) execute function cancel_scheduled_changes()`,
  `create trigger office_is_kept before insert or update on office
  for each row execute function office_keep()`,
  `create constraint trigger office_main_office_cycle_check after insert or update of main_office_id on office not deferrable initially immediate
  for each row when ((new.main_office_id is not null)) execute function office_hierarchy_check()`,
  `create trigger office_tree_changes after update of main_office_id on office
  for each row when ((new.main_office_id is distinct from old.main_office_id)) execute function office_tree_changed()`,
  `create trigger office_tree_grows after insert on office
  for each row when ((new.main_office_id is not null)) execute function office_tree_changed()`,
  `create trigger office_tree_shrinks after delete on office
  for each row when ((old.main_office_id is not null)) execute function office_tree_changed()`,
  `create trigger team_begins before insert on team
  for each row when ((new.scheduled_changes <> '[]')) execute function have_no_scheduled_changes()`,
  `create trigger team_cancels after delete on team
  for each row when ((old.scheduled_changes <> '[]')) execute function cancel_scheduled_changes()`,
  `create trigger team_is_kept before insert or update on team
  for each row execute function team_keep()`,
  `create trigger team_members_arrive after insert on team
  for each row when (((new.members)::jsonb <> '[]')) execute function team_members_derive()`,
  `create trigger team_members_change after update on team
  for each row when (((new.members)::jsonb is distinct from (old.members)::jsonb)) execute function team_members_derive()`,
];
