/**
 * Webhooks. Each has read the log up to a position and has a delivery for each event that was not received. A server claims a delivery for
 * some time; without a result it is due again. Deliveries of one record are sent in the order of `seq`.
 */
export const webhooks = [
  `create table webhook (
  id uuid not null,
  url text not null,
  description text,
  types text[],
  status text not null,
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
  office_ids uuid[],
  constraint webhook_description_check check (char_length(description) between 1 and 500),
  constraint webhook_status_check check (status in ('active', 'disabled')),
  constraint webhook_types_check check ((cardinality(types) >= 1) and (cardinality(types) <= 50)),
  constraint webhook_url_check check (char_length(url) between 1 and 2048),
  constraint webhook_pkey primary key (id)
)`,
  `create index webhook_created_at_idx on webhook (created_at, id)`,
  `create table webhook_secret (
  secret text not null,
  webhook_id uuid not null,
  created_at timestamptz(3) not null,
  ends_at timestamptz(3),
  constraint webhook_secret_secret_check check (secret ~ '^whsec_[A-Za-z0-9+/]{32,90}=*$'),
  constraint webhook_secret_pkey primary key (secret),
  constraint webhook_secret_webhook_id_fkey foreign key (webhook_id) references webhook (id) on delete cascade
)`,
  `create index webhook_secret_webhook_id_idx on webhook_secret (webhook_id, created_at)`,
  `create table webhook_delivery (
  id uuid not null,
  seq bigint generated always as identity,
  webhook_id uuid not null,
  "position" bigint not null,
  type text not null,
  subject_id uuid not null,
  status text default 'pending' not null,
  attempts jsonb default '[]' not null,
  due_at timestamptz(3),
  claim uuid,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  constraint webhook_delivery_due_at_check check ((due_at is not null) = (status = 'pending')),
  constraint webhook_delivery_finished_at_check check ((finished_at is null) = (status = 'pending')),
  constraint webhook_delivery_status_check check (status in ('pending', 'delivered', 'failed', 'superseded')),
  constraint webhook_delivery_pkey primary key (id),
  constraint webhook_delivery_webhook_id_fkey foreign key (webhook_id) references webhook (id) on delete cascade
)`,
  `create index webhook_delivery_created_at_idx on webhook_delivery (webhook_id, created_at, id)`,
  `create index webhook_delivery_due_idx on webhook_delivery (webhook_id, due_at, seq) where (status = 'pending')`,
  `create index webhook_delivery_finished_at_idx on webhook_delivery (finished_at) where (status <> 'pending')`,
  `create index webhook_delivery_order_idx on webhook_delivery (webhook_id, subject_id, seq) where (status = 'pending')`,
];
