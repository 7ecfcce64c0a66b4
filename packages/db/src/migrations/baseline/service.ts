/**
 * Saved views, settings, counts, and the servers that run. Unlogged tables may be lost with a crash of the database.
 */
export const service = [
  // The owner is a key or a person, as the actor of an event, so there is no foreign key.
  `create table saved_view (
  id uuid not null,
  name text not null,
  resource text not null,
  is_shared boolean not null,
  query json not null,
  columns json not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid not null,
  updated_at timestamptz(3) not null,
  constraint saved_view_columns_check check (json_typeof(columns) = 'array'),
  constraint saved_view_name_check check (char_length(name) between 1 and 200),
  constraint saved_view_query_check check (json_typeof(query) = 'object'),
  constraint saved_view_pkey primary key (id),
  constraint saved_view_resource_check check (resource in ('offices', 'agents', 'teams')) not valid
)`,
  `create index saved_view_owner_idx on saved_view (created_by, created_at, id)`,
  `create index saved_view_shared_idx on saved_view (created_at, id) where is_shared`,
  `create table directory_setting (
  is_only boolean default true not null,
  default_country text,
  updated_at timestamptz(3) not null,
  constraint directory_setting_default_country_check check (default_country ~ '^[A-Z]{2}$'),
  constraint directory_setting_is_only_check check (is_only),
  constraint directory_setting_pkey primary key (is_only)
)`,
  `create table directory_stats (
  is_only boolean default true not null,
  counts json not null,
  constraint directory_stats_is_only_check check (is_only),
  constraint directory_stats_pkey primary key (is_only)
)`,
  // Each server writes its row every few seconds. A caller's rate limit is divided by the number of servers.
  `create unlogged table running_server (
  id uuid not null,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  constraint running_server_host_check check (char_length(host) between 1 and 255),
  constraint running_server_version_check check (char_length(version) between 1 and 50),
  constraint running_server_pkey primary key (id)
)`,
  `create unlogged table periodic_job (
  name text not null,
  due_at timestamptz(3) not null,
  constraint periodic_job_pkey primary key (name)
)`,
];
