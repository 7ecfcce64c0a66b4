/** No foreign keys: survivors can be deleted or merged, and writing records stays cheap. */
export const duplicates = [
  // Progress for one resource: by the log, and before that through all existing records.
  `create table comparison (
    collection text primary key,
    rules int not null,
    position bigint not null,
    compared_to uuid,
    is_complete boolean not null default false
  )`,
  // The keys by which similar records are found.
  `create table compared_record (
    collection text not null,
    id uuid not null,
    keys bigint[] not null,
    primary key (collection, id)
  )`,
  // Without a pending list, because keys are looked up right after they are written.
  'create index compared_record_keys_idx on compared_record using gin (keys) with (fastupdate = off)',
  `create table duplicate_pair (
    id uuid primary key,
    collection text not null,
    first_id uuid not null,
    second_id uuid not null,
    score numeric(3, 2) not null constraint duplicate_pair_score_check check (score between 0 and 1),
    kinds text[] not null,
    reasons jsonb not null,
    found_at timestamptz(3) not null,
    dismissed_at timestamptz(3),
    dismissed_by uuid,
    dismissal_reason text,
    constraint duplicate_pair_records_key unique (collection, first_id, second_id),
    constraint duplicate_pair_order_check check (first_id < second_id),
    constraint duplicate_pair_dismissal_check
      check (dismissed_at is not null or (dismissed_by is null and dismissal_reason is null))
  )`,
  'create index duplicate_pair_score_idx on duplicate_pair (collection, score, id)',
  'create index duplicate_pair_second_idx on duplicate_pair (collection, second_id)',

  // Merged records, which lead to their survivors, and what moved with them, for an undo. Source, email
  // address and name are those that the merge took from one of the records.
  `create table record_merge (
    id uuid primary key,
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
    constraint record_merge_self_check check (survivor_id <> duplicate_id)
  )`,
  'create unique index record_merge_duplicate_key on record_merge (duplicate_id) where undone_at is null',
  'create index record_merge_survivor_idx on record_merge (survivor_id)',
  `create index record_merge_source_idx on record_merge (collection, source_name, source_key)
    where undone_at is null and source_name is not null`,
  `create index record_merge_email_idx on record_merge (collection, (lower(email collate "und-x-icu")))
    where undone_at is null and email is not null`,
  `create index record_merge_name_idx
    on record_merge (collection, (upper(regexp_replace(normalize(name, nfkc), '\\s+', ' ', 'g') collate "und-x-icu") collate "C"))
    where undone_at is null and name is not null`,
  // Follows any number of merges; null if not merged.
  `create function merged_into(merged uuid) returns uuid language sql stable as $$
      with recursive survivor (id, depth) as (
        select survivor_id, 1 from record_merge where duplicate_id = merged and undone_at is null
        union all
        select survivor_id, depth + 1 from record_merge join survivor on duplicate_id = survivor.id where undone_at is null
      )
      select id from survivor order by depth desc limit 1
    $$`,

  // A merged record's source and email stay taken as long as they lead to a record.
  ...(['offices', 'agents', 'teams'] as const).flatMap((collection) =>
    keepTaken({
      collection,
      name: 'merged_source_key',
      columns: 'source_name, source_key',
      isGiven: 'new.source_name is not null',
      isChanged: '(new.source_name, new.source_key) is distinct from (old.source_name, old.source_key)',
      isHeld: '(record_merge.source_name, record_merge.source_key) = (new.source_name, new.source_key)',
    }),
  ),
  ...keepTaken({
    collection: 'agents',
    name: 'merged_email_key',
    columns: 'email',
    isGiven: 'new.email is not null',
    isChanged: 'new.email is distinct from old.email',
    isHeld: 'lower(record_merge.email collate "und-x-icu") = lower(new.email collate "und-x-icu")',
  }),
];

interface TakenKey {
  collection: 'offices' | 'agents' | 'teams';
  /** Without the table, for constraint, function and triggers. */
  name: string;
  columns: string;
  isGiven: string;
  isChanged: string;
  /** Whether a merge has the new key. */
  isHeld: string;
}

/** After the row: one with a key being merged waits in the unique index, and must see that merge. */
function keepTaken({ collection, name: suffix, columns, isGiven, isChanged, isHeld }: TakenKey): string[] {
  const table = collection.slice(0, -1);
  const name = `${table}_${suffix}`;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
    declare
      survivor uuid;
    begin
      select ${table}.id into survivor from record_merge join ${table} on ${table}.id = merged_into(duplicate_id)
      where collection = '${collection}' and undone_at is null and ${isHeld} order by merged_at desc limit 1;
      if survivor <> new.id then
        raise exception 'the key of a record that was merged leads to %', survivor
          using errcode = 'unique_violation', constraint = '${name}', table = '${table}', detail = survivor;
      end if;
      return null;
    end $$`,
    `create trigger ${name} after insert on ${table} for each row when (${isGiven}) execute function ${name}()`,
    `create trigger ${name}_of_change after update of ${columns} on ${table}
    for each row when (${isGiven} and ${isChanged}) execute function ${name}()`,
  ];
}
