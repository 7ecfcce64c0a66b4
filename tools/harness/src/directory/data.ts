import type { Client } from 'pg';
import { cities, firstNames, lastNames, titles } from './names.ts';

/** What the tables are filled with: made by the database itself, and the same in every run. */

/** Only these offices have agents, the first of them most. */
const STAFFED_OFFICES = 300;

/** A number from 0 to 1 that is the same for the same row and salt. */
const chance = (salt: number) => `((hashint8extended(n, ${salt}) & 1048575) / 1048576.0::float8)`;

/** One of a list, the first ones most often, as with names and cities of people. */
const oneOf = (list: string, salt: number, skew = 2) =>
  `(${list})[1 + floor(cardinality(${list}) * power(${chance(salt)}, ${skew}))::int]`;

/** A UUIDv7 of a time: of milliseconds and of the row's number. */
const id = (kind: string, at: string, n: string) => `(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5('${kind}' || ${n}), 1, 3) ||
  '8' || substr(md5('${kind}' || ${n}), 4, 15))::uuid`;

/** Three years, evenly; all of it before any run. */
const created = (n: string, count: string) =>
  `(timestamptz '2023-01-01 00:00:00+00' + (interval '1095 days' * (${n}::float8 / ${count})))::timestamptz(3)`;

const officeId = (n: string) => id('office', created(n, '$1::bigint'), n);

const OFFICES = `
  insert into office (id, created_at, updated_at, status_changed_at, name, branch_type, mls_id, phone, email, website,
    address_line1, address_city, address_region, address_postal_code, address_country, time_zone)
  select ${officeId('n')}, at, at, at, city[1] || ' Realty ' || n, 'branch', 'OFF' || n, '+1 512 555 ' || lpad((n % 10000)::text, 4, '0'),
    'office' || n || '@realty.example', 'https://office' || n || '.realty.example',
    n || ' Main Street', city[1], city[2], city[3], 'US', 'America/Chicago'
  from generate_series(1, $1::bigint) as n,
    lateral (select ${created('n', '$1::bigint')} as at, string_to_array(${oneOf('$2::text[]', 1)}, '|') as city) as made`;

const AGENTS = `
  insert into agent (id, status, status_reason, status_changed_at, deactivated_at, created_at, updated_at,
    source_name, source_key, metadata, first_name, last_name, middle_name, title, type, office_id, email, phone,
    mobile_phone, mls_id, licenses, address_line1, address_city, address_region, address_postal_code, address_country,
    languages, designations, website, bio)
  select ${id('agent', 'at', 'n')}, status, case status when 'inactive' then 'Left the office' end, at,
    case status when 'inactive' then at end, at, at,
    'MLS', 'A' || n, jsonb_build_object('team', 'T' || n % 40), first_name, last_name,
    case when ${chance(2)} < 0.1 then 'Lee' end, ${oneOf('$3::text[]', 3)}, 'Agent',
    ${officeId(`(1 + floor(${STAFFED_OFFICES} * power(${chance(4)}, 2)))::bigint`)},
    lower(first_name || '.' || last_name) || n || '@agents.example', '+1 512 555 ' || lpad((n % 10000)::text, 4, '0'),
    '+1 737 555 ' || lpad((n % 9973)::text, 4, '0'), 'M' || n,
    jsonb_build_array(jsonb_build_object('number', 'L' || n, 'region', city[2], 'type', 'Broker', 'expiresOn', '2027-12-31')),
    n % 9000 || ' Oak Avenue', city[1], city[2], city[3], 'US',
    case when ${chance(5)} < 0.2 then array['en', 'es'] else array['en'] end,
    case when ${chance(6)} < 0.2 then array['GRI', 'CRS'] else array[]::text[] end,
    case when ${chance(7)} < 0.2 then 'https://agent' || n || '.example' end,
    case when ${chance(8)} < 0.3 then 'Homes in ' || city[1] || ' and around it for ' || n % 30 || ' years.' end
  from generate_series(1, $2::bigint) as n,
    lateral (select ${created('n', '$2::bigint')} as at, ${oneOf('$4::text[]', 9)} as first_name,
      ${oneOf('$5::text[]', 10)} as last_name, string_to_array(${oneOf('$6::text[]', 1)}, '|') as city,
      case when ${chance(11)} < 0.07 then 'inactive' else 'active' end as status) as made`;

/** Fills both tables and leaves them as a quiet database would be: vacuumed, analysed, on disk. */
export async function fill(
  client: Client,
  { offices, agents }: { offices: number; agents: number },
): Promise<void> {
  await client.query(OFFICES, [offices, cities]);
  await client.query(AGENTS, [offices, agents, titles, firstNames, lastNames, cities]);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Draws from the data what requests ask for, the same in every run over the same data. */
export async function drawTargets(client: Client) {
  const texts = async (text: string) => {
    const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
    return rows.map(([value]) => value);
  };
  return {
    /** Ids of agents, in no order. */
    ids: await texts(
      `select id from (select id from agent order by created_at desc limit 100000) as drawn
      order by md5(id::text) limit 4000`,
    ),
    /** Regions with many agents. */
    regions: await texts(
      'select address_region from agent group by 1 having count(*) > 60 order by count(*) desc, 1 limit 10',
    ),
    /** Family names and cities that meet. */
    searches: await texts(
      `select words from (select distinct lower(last_name || ' ' || address_city) as words from agent) as found
      order by md5(words) limit 500`,
    ),
    /** Offices that new agents can be in. */
    officeIds: await texts(
      'select distinct office_id::text from agent where office_id is not null order by 1 limit 50',
    ),
  };
}

export type Targets = Awaited<ReturnType<typeof drawTargets>>;
