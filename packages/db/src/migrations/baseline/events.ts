/**
 * The log of changes. The statement of a change writes its event without a position, because numbers drawn in
 * concurrent transactions are not in commit order. One sequencer at a time assigns positions to committed
 * events, so that a reader at position n never misses an event at or below n.
 */
export const events = [
  String.raw`create table event (
    id bigint generated always as identity primary key,
    position bigint constraint event_position_key unique,
    type text not null constraint event_type_check check (
      type ~ '^((office|agent|team)\.(created|updated|deactivated|reactivated|deleted|restored|purged|change_failed|merged)|(office|agent)\.license_expiring|agent\.transferred)$'
    ),
    subject_id uuid not null,
    version integer not null,
    occurred_at timestamptz(3) not null,
    actor_id uuid,
    request_id text,
    reason text,
    record json,
    previous json not null default '{}',
    details json,
    constraint event_record_check check ((record is null) = (type like '%.purged'))
  )`,
  'create index event_subject_idx on event (subject_id, position)',
  'create index event_waiting_idx on event (id) where position is null',
  // Events of purged records are erased before the log ends; those without a record are the purges.
  'create index event_purged_idx on event (position) where record is null',
  // Agents changed by an office's deactivation, for its reactivation.
  `create index event_cascade_idx on event ((details ->> 'cascadeOfficeId'), id)
    where details ->> 'cascadeOfficeId' is not null`,
  `create table event_log (
    is_only boolean primary key default true constraint event_log_is_only_check check (is_only),
    last_position bigint not null default 0,
    compacted_to bigint not null default 0,
    erased_to bigint not null default 0
  )`,
  'insert into event_log default values',
  // Assigns positions to committed events in the order written, and notifies all servers. Returns their
  // number, or -1 if another server is doing it. Each statement of the function sees what was committed
  // before it began.
  `create function give_event_positions(count_max int) returns int language plpgsql as $$
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
    end $$`,
  // Events of keys, webhooks and people, read only if their types are requested, with positions of the same
  // log. They are rare, so the transaction of the change assigns the position and locks the log until it
  // ends.
  String.raw`create table admin_event (
    position bigint primary key,
    type text not null constraint admin_event_type_check check (
      type ~ '^(key\.(created|updated|rotated|revoked)|webhook\.(created|updated|rotated|replayed|deleted)|person\.(invited|updated|deactivated|reactivated|deleted|link_created)|invitation\.(created|revoked|accepted)|passkey\.(created|updated|deleted)|session\.(created|ended)|access\.denied)$'
    ),
    subject_id uuid not null,
    version integer not null,
    occurred_at timestamptz(3) not null,
    actor_id uuid,
    request_id text,
    record json not null,
    previous json not null default '{}'
  )`,
  'create index admin_event_subject_idx on admin_event (subject_id, position)',
  // For requests with an Idempotency-Key, written in the transaction of the change.
  `create table idempotent_response (
    actor_id uuid not null,
    operation text not null,
    key text not null constraint idempotent_response_key_check check (char_length(key) between 1 and 255),
    input_hash bytea not null,
    response json not null,
    created_at timestamptz(3) not null,
    primary key (actor_id, operation, key)
  )`,
  'create index idempotent_response_created_at_idx on idempotent_response (created_at)',
];
