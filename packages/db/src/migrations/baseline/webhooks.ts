/**
 * A webhook has read the log up to a position, and has a delivery for each matching event not yet received.
 * Deliveries are the queue: a server claims a due one for a while, after which it is due again. Those of one
 * record are delivered by `seq`.
 */
export const webhooks = [
  `create table webhook (
    id uuid primary key,
    url text not null constraint webhook_url_check check (char_length(url) between 1 and 2048),
    description text constraint webhook_description_check check (char_length(description) between 1 and 500),
    types text[] constraint webhook_types_check check (cardinality(types) between 1 and 50),
    status text not null constraint webhook_status_check check (status in ('active', 'disabled')),
    status_reason text,
    status_changed_at timestamptz(3) not null,
    failing_since timestamptz(3),
    paused_until timestamptz(3),
    read_to bigint not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    slow_since timestamptz(3),
    test_ends_at timestamptz(3),
    created_by uuid,
    office_ids uuid[]
  )`,
  'create index webhook_created_at_idx on webhook (created_at, id)',
  `create table webhook_secret (
    secret text primary key constraint webhook_secret_secret_check check (secret ~ '^whsec_[A-Za-z0-9+/]{32,90}=*$'),
    webhook_id uuid not null constraint webhook_secret_webhook_id_fkey references webhook (id) on delete cascade,
    created_at timestamptz(3) not null,
    ends_at timestamptz(3)
  )`,
  'create index webhook_secret_webhook_id_idx on webhook_secret (webhook_id, created_at)',
  `create table webhook_delivery (
    id uuid primary key,
    seq bigint generated always as identity,
    webhook_id uuid not null constraint webhook_delivery_webhook_id_fkey references webhook (id) on delete cascade,
    position bigint not null,
    type text not null,
    subject_id uuid not null,
    status text not null default 'pending' constraint webhook_delivery_status_check
      check (status in ('pending', 'delivered', 'failed', 'superseded')),
    attempts jsonb not null default '[]',
    due_at timestamptz(3),
    claim uuid,
    created_at timestamptz(3) not null,
    finished_at timestamptz(3),
    constraint webhook_delivery_due_at_check check ((due_at is not null) = (status = 'pending')),
    constraint webhook_delivery_finished_at_check check ((finished_at is null) = (status = 'pending'))
  )`,
  'create index webhook_delivery_created_at_idx on webhook_delivery (webhook_id, created_at, id)',
  `create index webhook_delivery_due_idx on webhook_delivery (webhook_id, due_at, seq) where status = 'pending'`,
  `create index webhook_delivery_order_idx on webhook_delivery (webhook_id, subject_id, seq)
    where status = 'pending'`,
  `create index webhook_delivery_finished_at_idx on webhook_delivery (finished_at) where status <> 'pending'`,
];
