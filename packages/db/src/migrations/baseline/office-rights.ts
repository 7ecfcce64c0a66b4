export const officeRights = [
  // Servers cache limited callers, and reread them when the tree or a merge changes.
  `create function office_tree_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('roster_offices', '');
      return null;
    end $$`,
  `create trigger office_tree_grows after insert on office
    for each row when (new.main_office_id is not null) execute function office_tree_changed()`,
  `create trigger office_tree_changes after update of main_office_id on office
    for each row when (new.main_office_id is distinct from old.main_office_id)
    execute function office_tree_changed()`,
  `create trigger office_tree_shrinks after delete on office
    for each row when (old.main_office_id is not null) execute function office_tree_changed()`,
  `create trigger office_merges_change after insert or update of undone_at on record_merge
    for each row when (new.collection = 'offices') execute function office_tree_changed()`,

  // The IDs in limits that include an office: its own, those of offices merged into it, and of the offices
  // above.
  `create function office_merged_ids(office_id uuid) returns uuid[] language sql stable as $$
      with recursive known (id) as (
        select office_id
        union
        select duplicate_id from record_merge join known on survivor_id = known.id where undone_at is null
      )
      select array_agg(id) from known
    $$`,
  `create function office_limiting_ids(office_id uuid) returns uuid[] language sql stable as $$
      with recursive above (id) as (
        select office_id
        union
        select main_office_id from office join above on office.id = above.id where main_office_id is not null
      )
      select array_agg(known) from above cross join lateral unnest(office_merged_ids(above.id)) as known
    $$`,

  // Moving an office must not give the mover rights over it. The actor is in the event of the same statement.
  // Only people can have different rights over offices: a key has the same over all of its own.
  `create function highest_role(grants jsonb, offices uuid[]) returns integer language sql stable as $$
      select coalesce(max(array_position(array['viewer', 'editor', 'manager', 'admin'], held ->> 'role')), 0)
      from jsonb_array_elements(grants) as one (held)
      where held -> 'officeIds' = 'null' or exists (
        select from jsonb_array_elements_text(held -> 'officeIds') as named (office_id) where office_id::uuid = any(offices))
    $$`,
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
    end $$`,
  `create trigger office_main_office_rights_check after update of main_office_id on office
    for each row when (new.main_office_id is distinct from old.main_office_id and new.main_office_id is not null)
    execute function office_move_gives_no_rights()`,
];
