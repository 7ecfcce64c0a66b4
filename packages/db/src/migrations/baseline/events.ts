/**
 * The log of changes. A change and its event are written by one statement. An event gets its position after its transaction has been
 * committed, from one server at a time: no reader of the log finds an event at or before a position that it has passed.
 * Events of keys, people and sign-ins are in a table of their own, with positions of the same log.
 */
export const events = [
  `create table event (
  id bigint generated always as identity,
  "position" bigint,
  type text not null,
  subject_id uuid not null,
  version integer not null,
  occurred_at timestamptz(3) not null,
  actor_id uuid,
  request_id text,
  reason text,
  record json,
  previous json default '{}' not null,
  details json,
  constraint event_record_check check ((record is null) = (type ~~ '%.purged')),
  constraint event_pkey primary key (id),
  constraint event_position_key unique ("position"),
  constraint event_type_check check (type ~ '^((office|agent|team)\\.(created|updated|deactivated|reactivated|deleted|restored|purged|change_failed|merged)|(office|agent)\\.license_expiring|agent\\.transferred)$'::text) not valid
)`,
  `create index event_cascade_idx on event (((details ->> 'cascadeOfficeId')), id) where ((details ->> 'cascadeOfficeId') is not null)`,
  `create index event_purged_idx on event ("position") where (record is null)`,
  `create index event_subject_idx on event (subject_id, "position")`,
  `create index event_waiting_idx on event (id) where ("position" is null)`,
  `create table event_log (
  is_only boolean default true not null,
  last_position bigint default 0 not null,
  compacted_to bigint default 0 not null,
  erased_to bigint default 0 not null,
  constraint event_log_is_only_check check (is_only),
  constraint event_log_pkey primary key (is_only)
)`,
  `create table admin_event (
  "position" bigint not null,
  type text not null,
  subject_id uuid not null,
  version integer not null,
  occurred_at timestamptz(3) not null,
  actor_id uuid,
  request_id text,
  record json not null,
  previous json default '{}' not null,
  constraint admin_event_pkey primary key ("position"),
  constraint admin_event_type_check check (type ~ '^(key\\.(created|updated|rotated|revoked)|webhook\\.(created|updated|rotated|replayed|deleted)|person\\.(invited|updated|deactivated|reactivated|deleted|link_created)|invitation\\.(created|revoked|accepted)|passkey\\.(created|updated|deleted)|session\\.(created|ended)|access\\.denied)$'::text) not valid
)`,
  `create index admin_event_subject_idx on admin_event (subject_id, "position")`,
  // Responses to requests with an Idempotency-Key, written in the transaction of the change.
  `create table idempotent_answer (
  actor_id uuid not null,
  operation text not null,
  key text not null,
  input_hash bytea not null,
  answer json not null,
  created_at timestamptz(3) not null,
  constraint idempotent_answer_key_check check (char_length(key) between 1 and 255),
  constraint idempotent_answer_pkey primary key (actor_id, operation, key)
)`,
  `create index idempotent_answer_created_at_idx on idempotent_answer (created_at)`,
  // Gives positions to committed events in the order they were written, and notifies every server. Returns their number, or -1
  // while another server does it. Each statement sees what was committed before it began.
  `create function give_event_positions(count_max integer) returns integer language plpgsql as $$
  declare
    last bigint;
    given int;
  begin
    if not exists (select from event where position is null) then
      return 0;
    end if;
    select last_position into last from event_log for update skip locked;
    if not found then
      return -1;
    end if;
    update event set position = last + waiting.place
    from (
      select id, row_number() over (order by id) as place
      from (select id from event where position is null order by id limit count_max) as oldest
    ) as waiting
    where event.id = waiting.id;
    get diagnostics given = row_count;
    if given > 0 then
      update event_log set last_position = last + given;
      perform pg_notify('roster_events', (last + given)::text);
    end if;
    return given;
  end
$$`,
  // A deleted agent leaves its teams, each with an event whose cause is that of the event of the agent.
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
  end
$$`,
  `create trigger team_member_leaves after delete on team_member
  for each row execute function team_member_leaves()`,
  `insert into event_log default values`,
];
