import { type Kysely, sql } from 'kysely';

/**
 * Each row keeps its record as the API shows it, made when the row is written: to make it anew for each reading cost
 * PostgreSQL four times as much as to find it. `record_shape` is the number of the expression that made it, so that
 * servers of two releases can share the tables: whoever finds another number than its own makes the record by itself.
 * The text of `search_text` is made beside it, and only when one of its parts changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['office', 'agent'] as const) {
    await sql`alter table ${sql.table(table)} add column record json, add column record_shape smallint`.execute(
      db,
    );
    await run(db, keeping(table));
    await run(
      db,
      `create trigger ${table}_is_kept before insert or update on ${table} for each row execute function ${table}_keep()`,
    );
    // Those whose record is to be made anew, which are none but after a change of the shape.
    await run(
      db,
      `create index ${table}_stale_idx on ${table} (id) where record_shape is distinct from ${SHAPE}`,
    );
  }
  // A region's agents by their names, which is how a directory is read; the index on regions alone is its beginning.
  await run(db, 'create index agent_region_name_idx on agent (address_region, last_name, id)');
  await run(db, 'create index office_region_name_idx on office (address_region, name, id)');
  await run(db, 'drop index agent_only_region_idx, office_only_region_idx');
}

async function run(db: Kysely<unknown>, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

const SHAPE = 1;

const searched = {
  office: ['name', 'legal_name', 'email', 'mls_id', 'address_city'],
  agent: [
    'first_name',
    'middle_name',
    'last_name',
    'nickname',
    'display_name',
    'email',
    'mls_id',
    'address_city',
  ],
};

function keeping(table: 'office' | 'agent'): string {
  const parts = searched[table];
  const folded = parts.map((column) => `coalesce(new.${column}, '')`).join(` || ' ' || `);
  const of = (row: string) => ['search_text', ...parts].map((column) => `${row}.${column}`).join(', ');
  return `
    create function ${table}_keep() returns trigger language plpgsql as $$
    begin
      if (${of('new')}) is distinct from (${of('old')}) then
        new.search_text := upper(normalize(${folded}, nfkc) collate "und-x-icu");
      end if;
      new.record := (select to_json(shown) from (select ${fields[table].join(', ')}) as shown);
      new.record_shape := ${SHAPE};
      return new;
    end $$`;
}

const columnOf = (name: string) =>
  `new."${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
const plain = (...names: string[]) => names.map((name) => `${columnOf(name)} as "${name}"`);
const time = (name: string) =>
  `to_char(${columnOf(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${name}"`;
const object = (parts: string[]) => `(select to_json(shown) from (select ${parts.join(', ')}) as shown)`;

function address(name: string, prefix: string): string {
  const parts = ['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'];
  const columns = parts.map((part) => columnOf(part).replace('"', `"${prefix}_`));
  const shown = object(parts.map((part, index) => `${columns[index]} as "${part}"`));
  return `case when num_nonnulls(${columns.join(', ')}) > 0 then ${shown} end as "${name}"`;
}

const first = [
  ...plain('id', 'status', 'statusReason'),
  ...['statusChangedAt', 'deactivatedAt', 'createdAt', 'updatedAt'].map(time),
  ...plain('version'),
];
const last = [
  `case when new."source_name" is not null then ${object(['new."source_name" as "name"', 'new."source_key" as "key"'])} end as "source"`,
  ...plain('metadata'),
];

const fields = {
  office: [
    ...first,
    ...plain('name', 'legalName', 'branchType', 'type', 'mainOfficeId', 'brokerAgentId', 'managerAgentId'),
    ...plain(
      'franchise',
      'mlsId',
      'nationalAssociationId',
      'licenses',
      'phone',
      'phoneExt',
      'fax',
      'email',
      'website',
    ),
    address('address', 'address'),
    address('mailingAddress', 'mailing_address'),
    ...plain('timeZone', 'bio'),
    ...last,
  ],
  agent: [
    ...first,
    ...plain('firstName', 'lastName', 'middleName', 'nickname', 'namePrefix', 'nameSuffix'),
    `coalesce(new."display_name", new."first_name" || ' ' || new."last_name") as "displayName"`,
    ...plain('title', 'type', 'officeId'),
    time('transferredAt'),
    ...plain(
      'email',
      'phone',
      'phoneExt',
      'mobilePhone',
      'directPhone',
      'fax',
      'mlsId',
      'nationalAssociationId',
    ),
    ...plain('licenses'),
    address('address', 'address'),
    ...plain('languages', 'designations', 'assistantToAgentId', 'website', 'photoUrl', 'bio'),
    ...last,
  ],
};
