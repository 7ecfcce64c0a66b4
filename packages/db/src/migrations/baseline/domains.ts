/** The functions of rules that look inside a value; a check may not hold a subquery. */
const rules = [
  `create function affiliations_within(items jsonb, count_max int) returns boolean
  language sql immutable parallel safe
  return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
    and not exists (select from jsonb_array_elements(items) as item
                    where item ->> 'officeId' is null
                       or char_length(item ->> 'title') not between 1 and 100
                       or jsonb_typeof(item -> 'isVisible') is distinct from 'boolean')
    and (select count(distinct item ->> 'officeId') = count(*) from jsonb_array_elements(items) as item)`,
  `create function licenses_within(items jsonb, count_max int) returns boolean
  language sql immutable parallel safe
  return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
    and not exists (select from jsonb_array_elements(items) as item
                    where char_length(coalesce(item ->> 'number', '')) not between 1 and 50
                       or char_length(item ->> 'region') > 3
                       or char_length(item ->> 'type') > 30)`,
  `create function metadata_within(pairs jsonb) returns boolean
  language sql immutable parallel safe
  return jsonb_typeof(pairs) = 'object'
    and (select count(*) <= 50
           and coalesce(bool_and(char_length(key) between 1 and 40 and jsonb_typeof(value) = 'string'
                                 and char_length(value #>> '{}') <= 500), true)
         from jsonb_each(pairs))`,
  `create function team_members_within(items jsonb, count_max int) returns boolean
  language sql immutable parallel safe
  return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
    and not exists (select from jsonb_array_elements(items) as item
                    where item ->> 'agentId' is null
                       or char_length(coalesce(item ->> 'role', '')) not between 1 and 40
                       or char_length(item ->> 'title') not between 1 and 100
                       or (item ->> 'until') collate "C" < item ->> 'since')
    and (select count(distinct item ->> 'agentId') = count(*) from jsonb_array_elements(items) as item)`,
  `create function texts_within(items text[], count_max int, length_max int) returns boolean
  language sql immutable parallel safe
  return cardinality(items) <= count_max
    and not exists (select from unnest(items) as item
                    where item is null or char_length(item) not between 1 and length_max)`,
  `create function has_one_lead(items jsonb) returns boolean
  language sql immutable parallel safe
  return not exists (
    select from (
      select (coalesce(item ->> 'since', '')) collate "C" as since,
        lag(coalesce(item ->> 'until', '~')) over (order by (coalesce(item ->> 'since', '')) collate "C") as until_before
      from jsonb_array_elements(items) as item where item ->> 'role' = 'lead'
    ) as leads
    where since <= until_before)`,
];

/**
 * The rules of one column, as a domain with the name of the table and the column. PostgreSQL reads every check of a table anew for each
 * statement that writes to it; the rules of a domain are kept by the session, and looked at for the columns that are written.
 * Lengths are counted in code points, as the API counts them.
 */
const domains: readonly (readonly [name: string, type: string, rule: string])[] = [
  ['agent_address_city', 'text', `char_length(value) between 1 and 100`],
  ['agent_address_country', 'text', `value ~ '^[A-Z]{2}$'`],
  ['agent_address_county', 'text', `char_length(value) between 1 and 100`],
  ['agent_address_line1', 'text', `char_length(value) between 1 and 100`],
  ['agent_address_line2', 'text', `char_length(value) between 1 and 100`],
  ['agent_address_postal_code', 'text', `char_length(value) between 1 and 16`],
  ['agent_address_region', 'text', `char_length(value) between 1 and 3`],
  ['agent_affiliations', 'jsonb', `(value = '[]'::jsonb) or affiliations_within(value, 20)`],
  ['agent_bio', 'text', `char_length(value) between 1 and 4000`],
  ['agent_designations', 'text[]', `(value = '{}') or texts_within(value, 30, 50)`],
  ['agent_direct_phone', 'text', `char_length(value) between 1 and 32`],
  ['agent_display_name', 'text', `char_length(value) between 1 and 255`],
  ['agent_email', 'text', `char_length(value) between 1 and 254`],
  ['agent_fax', 'text', `char_length(value) between 1 and 32`],
  ['agent_first_name', 'text collate "und-x-icu"', `char_length(value) between 1 and 100`],
  ['agent_languages', 'text[]', `(value = '{}') or texts_within(value, 20, 35)`],
  ['agent_last_name', 'text collate "und-x-icu"', `char_length(value) between 1 and 100`],
  ['agent_licenses', 'jsonb', `(value = '[]') or licenses_within(value, 50)`],
  ['agent_metadata', 'jsonb', `(value = '{}') or metadata_within(value)`],
  ['agent_middle_name', 'text', `char_length(value) between 1 and 100`],
  ['agent_mls_id', 'text', `char_length(value) between 1 and 50`],
  ['agent_mobile_phone', 'text', `char_length(value) between 1 and 32`],
  ['agent_name_prefix', 'text', `char_length(value) between 1 and 20`],
  ['agent_name_suffix', 'text', `char_length(value) between 1 and 20`],
  ['agent_national_association_id', 'text', `char_length(value) between 1 and 50`],
  ['agent_nickname', 'text', `char_length(value) between 1 and 100`],
  ['agent_phone', 'text', `char_length(value) between 1 and 32`],
  ['agent_phone_ext', 'text', `char_length(value) between 1 and 10`],
  ['agent_photo_url', 'text', `char_length(value) between 1 and 2048`],
  ['agent_source_key', 'text', `char_length(value) between 1 and 255`],
  ['agent_source_name', 'text', `char_length(value) between 1 and 255`],
  ['agent_status_reason', 'text', `char_length(value) between 1 and 500`],
  ['agent_title', 'text', `char_length(value) between 1 and 100`],
  ['agent_type', 'text', `char_length(value) between 1 and 50`],
  ['agent_website', 'text', `char_length(value) between 1 and 2048`],
  ['office_address_city', 'text', `char_length(value) between 1 and 100`],
  ['office_address_country', 'text', `value ~ '^[A-Z]{2}$'`],
  ['office_address_county', 'text', `char_length(value) between 1 and 100`],
  ['office_address_line1', 'text', `char_length(value) between 1 and 100`],
  ['office_address_line2', 'text', `char_length(value) between 1 and 100`],
  ['office_address_postal_code', 'text', `char_length(value) between 1 and 16`],
  ['office_address_region', 'text', `char_length(value) between 1 and 3`],
  ['office_bio', 'text', `char_length(value) between 1 and 4000`],
  ['office_email', 'text', `char_length(value) between 1 and 254`],
  ['office_fax', 'text', `char_length(value) between 1 and 32`],
  ['office_franchise', 'text', `char_length(value) between 1 and 100`],
  ['office_legal_name', 'text', `char_length(value) between 1 and 255`],
  ['office_licenses', 'jsonb', `(value = '[]') or licenses_within(value, 20)`],
  ['office_mailing_address_city', 'text', `char_length(value) between 1 and 100`],
  ['office_mailing_address_country', 'text', `value ~ '^[A-Z]{2}$'`],
  ['office_mailing_address_county', 'text', `char_length(value) between 1 and 100`],
  ['office_mailing_address_line1', 'text', `char_length(value) between 1 and 100`],
  ['office_mailing_address_line2', 'text', `char_length(value) between 1 and 100`],
  ['office_mailing_address_postal_code', 'text', `char_length(value) between 1 and 16`],
  ['office_mailing_address_region', 'text', `char_length(value) between 1 and 3`],
  ['office_metadata', 'jsonb', `(value = '{}') or metadata_within(value)`],
  ['office_mls_id', 'text', `char_length(value) between 1 and 50`],
  ['office_name', 'text collate "und-x-icu"', `char_length(value) between 1 and 255`],
  ['office_national_association_id', 'text', `char_length(value) between 1 and 50`],
  ['office_phone', 'text', `char_length(value) between 1 and 32`],
  ['office_phone_ext', 'text', `char_length(value) between 1 and 10`],
  ['office_source_key', 'text', `char_length(value) between 1 and 255`],
  ['office_source_name', 'text', `char_length(value) between 1 and 255`],
  ['office_status_reason', 'text', `char_length(value) between 1 and 500`],
  ['office_time_zone', 'text', `char_length(value) between 1 and 64`],
  ['office_type', 'text', `char_length(value) between 1 and 50`],
  ['office_website', 'text', `char_length(value) between 1 and 2048`],
  ['team_address_city', 'text', `char_length(value) between 1 and 100`],
  ['team_address_country', 'text', `value ~ '^[A-Z]{2}$'`],
  ['team_address_county', 'text', `char_length(value) between 1 and 100`],
  ['team_address_line1', 'text', `char_length(value) between 1 and 100`],
  ['team_address_line2', 'text', `char_length(value) between 1 and 100`],
  ['team_address_postal_code', 'text', `char_length(value) between 1 and 16`],
  ['team_address_region', 'text', `char_length(value) between 1 and 3`],
  ['team_description', 'text', `char_length(value) between 1 and 4000`],
  ['team_direct_phone', 'text', `char_length(value) between 1 and 32`],
  ['team_email', 'text', `char_length(value) between 1 and 254`],
  ['team_fax', 'text', `char_length(value) between 1 and 32`],
  ['team_members', 'jsonb', `(value = '[]') or team_members_within(value, 100)`],
  ['team_metadata', 'jsonb', `(value = '{}') or metadata_within(value)`],
  ['team_mls_id', 'text', `char_length(value) between 1 and 50`],
  ['team_mobile_phone', 'text', `char_length(value) between 1 and 32`],
  ['team_name', 'text collate "und-x-icu"', `char_length(value) between 1 and 255`],
  ['team_office_phone', 'text', `char_length(value) between 1 and 32`],
  ['team_office_phone_ext', 'text', `char_length(value) between 1 and 10`],
  ['team_phone', 'text', `char_length(value) between 1 and 32`],
  ['team_phone_ext', 'text', `char_length(value) between 1 and 10`],
  ['team_social_links', 'text[]', `(value = '{}') or texts_within(value, 10, 2048)`],
  ['team_source_key', 'text', `char_length(value) between 1 and 255`],
  ['team_source_name', 'text', `char_length(value) between 1 and 255`],
  ['team_status_reason', 'text', `char_length(value) between 1 and 500`],
  ['team_toll_free_phone', 'text', `char_length(value) between 1 and 32`],
  ['team_website', 'text', `char_length(value) between 1 and 2048`],
];

/** Texts are in Unicode's normal form C, and regions in capitals, so that one text is the same however it is typed. */
function domain(name: string, type: string, rule: string): string {
  const value = type.startsWith('text') && !type.endsWith('[]') ? 'value' : 'value::text';
  const capitals = name.endsWith('_region') ? ` constraint ${name}_case_check check (value !~ '[a-z]')` : '';
  return `create domain ${name} as ${type} constraint ${name}_check check (${rule})
    constraint ${name}_nfc_check check (${value} is nfc normalized)${capitals}`;
}

export const domainStatements = [
  'create extension if not exists pg_trgm',
  ...rules,
  ...domains.map((given) => domain(...given)),
];
