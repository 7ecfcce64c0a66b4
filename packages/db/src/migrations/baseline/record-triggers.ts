/** Triggers run in the order of their names: `…_is_kept` builds the JSON after the others. */
export const recordTriggers = [
  ...['office', 'agent', 'team'].flatMap((table) => [
    // Replaced when the API's schemas are known (repeatable/records.ts), after every migration.
    `create function ${table}_keep() returns trigger language plpgsql as $$
    begin
      return new;
    end $$`,
    `create trigger ${table}_is_kept before insert or update on ${table}
    for each row execute function ${table}_keep()`,
  ]),

  // No circles of main offices. Changes wait for each other, because two concurrent ones could close a
  // circle.
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
    end $$`,
  `create constraint trigger office_main_office_cycle_check
    after insert or update of main_office_id on office
    for each row when (new.main_office_id is not null)
    execute function office_hierarchy_check()`,

  // No agent is created in, moved to or reactivated in an inactive office. The share lock makes a
  // deactivation and an arrival wait for each other.
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
    end $$`,
  `create trigger agent_arrives before insert on agent
    for each row when (new.office_id is not null and new.status = 'active')
    execute function agent_office_active_check()`,
  `create trigger agent_moves before update of office_id, status on agent
    for each row when (
      new.office_id is not null
      and (new.office_id is distinct from old.office_id
           or (new.status = 'active' and old.status <> 'active')))
    execute function agent_office_active_check()`,

  // No address stays marked as moving, which would exempt it from being unique.
  `create function agent_email_settled() returns trigger language plpgsql as $$
    begin
      if exists (select from agent where id = new.id and is_email_moving) then
        raise exception 'the email address of agent % is still moving', new.id
          using errcode = 'check_violation', constraint = 'agent_email_settled_check', table = 'agent';
      end if;
      return null;
    end $$`,
  `create constraint trigger agent_email_settled_check
    after insert or update of is_email_moving on agent deferrable initially deferred
    for each row when (new.is_email_moving)
    execute function agent_email_settled()`,

  // The primary office is no affiliation. Moving to an affiliated office removes the affiliation; a list that
  // adds the primary office is rejected.
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
    end $$`,
  `create trigger agent_affiliations_follow before insert or update of office_id, affiliations on agent
    for each row when (new.office_id is not null and new.affiliations <> '[]')
    execute function agent_affiliations_follow()`,

  // Keeps agent_affiliation. Inactive offices take no new affiliations. Locks offices in ID order.
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
    end $$`,
  `create trigger agent_affiliations_arrive after insert on agent
    for each row when (new.affiliations <> '[]')
    execute function agent_affiliations_derive()`,
  `create trigger agent_affiliations_change after update on agent
    for each row when (new.affiliations is distinct from old.affiliations)
    execute function agent_affiliations_derive()`,

  // Keeps team_member.
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
    end $$`,
  `create trigger team_members_arrive after insert on team
    for each row when (new.members <> '[]')
    execute function team_members_derive()`,
  `create trigger team_members_change after update on team
    for each row when (new.members is distinct from old.members)
    execute function team_members_derive()`,

  // A deleted agent leaves its teams, each with an event of the same cause.
  `create function team_member_leaves() returns trigger language plpgsql as $$
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
    end $$`,
  `create trigger team_member_leaves after delete on team_member
    for each row execute function team_member_leaves()`,

  // A deletion cancels scheduled changes here: its statement would not see one scheduled while it waited for
  // the lock. An inserted record has none, even if restored.
  `create function cancel_scheduled_changes() returns trigger language plpgsql as $$
    begin
      update scheduled_change set status = 'cancelled', finished_at = clock_timestamp()
      where subject_id = old.id and status = 'pending';
      return null;
    end $$`,
  `create function have_no_scheduled_changes() returns trigger language plpgsql as $$
    begin
      new.scheduled_changes := '[]';
      return new;
    end $$`,
  ...['office', 'agent', 'team'].flatMap((table) => [
    `create trigger ${table}_cancels after delete on ${table}
    for each row when (old.scheduled_changes <> '[]') execute function cancel_scheduled_changes()`,
    `create trigger ${table}_begins before insert on ${table}
    for each row when (new.scheduled_changes <> '[]') execute function have_no_scheduled_changes()`,
  ]),
];
