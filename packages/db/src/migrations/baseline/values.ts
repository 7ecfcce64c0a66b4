/**
 * Rules of single values. Each column with a rule has its own domain, named after table and column:
 * PostgreSQL plans a table's checks anew for every writing statement, and keeps those of domains in the
 * session. Checks between columns stay with the table.
 *
 * Lengths are in code points (`char_length`), as in the API, which maps names of constraints to error codes.
 */
export const values = [
  'create extension if not exists pg_trgm',
  // Functions, because a check can't contain a subquery.
  `create function texts_within(items text[], count_max int, length_max int) returns boolean
    language sql immutable parallel safe
    return cardinality(items) <= count_max
      and not exists (select from unnest(items) as item
                      where item is null or char_length(item) not between 1 and length_max)`,
  `create function metadata_within(pairs jsonb) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(pairs) = 'object'
      and (select count(*) <= 50
             and coalesce(bool_and(char_length(key) between 1 and 40 and jsonb_typeof(value) = 'string'
                                   and char_length(value #>> '{}') <= 500), true)
           from jsonb_each(pairs))`,
  `create function licenses_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where char_length(coalesce(item ->> 'number', '')) not between 1 and 50
                         or char_length(item ->> 'region') > 3
                         or char_length(item ->> 'type') > 30)`,
  `create function affiliations_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where item ->> 'officeId' is null
                         or char_length(item ->> 'title') not between 1 and 100
                         or jsonb_typeof(item -> 'isVisible') is distinct from 'boolean')
      and (select count(distinct item ->> 'officeId') = count(*) from jsonb_array_elements(items) as item)`,
  // Days are text (YYYY-MM-DD), in order under collation C.
  `create function team_members_within(items jsonb, count_max int) returns boolean
    language sql immutable parallel safe
    return jsonb_typeof(items) = 'array' and jsonb_array_length(items) <= count_max
      and not exists (select from jsonb_array_elements(items) as item
                      where item ->> 'agentId' is null
                         or char_length(coalesce(item ->> 'role', '')) not between 1 and 40
                         or char_length(item ->> 'title') not between 1 and 100
                         or (item ->> 'until') collate "C" < item ->> 'since')
      and (select count(distinct item ->> 'agentId') = count(*) from jsonb_array_elements(items) as item)`,
  // No two leads on one day.
  `create function has_one_lead(items jsonb) returns boolean
    language sql immutable parallel safe
    return not exists (
      select from (
        select (coalesce(item ->> 'since', '')) collate "C" as since,
          lag(coalesce(item ->> 'until', '~')) over (order by (coalesce(item ->> 'since', '')) collate "C") as until_before
        from jsonb_array_elements(items) as item where item ->> 'role' = 'lead'
      ) as leads
      where since <= until_before)`,
  ...domains(),
];

interface Rule {
  column: string;
  base: string;
  rule: string;
}

function domains(): string[] {
  return Object.entries(rules()).flatMap(([table, found]) =>
    found.map(({ column, base, rule }) => {
      const name = `${table}_${column}`;
      const checks = [
        `constraint ${name}_check check (${rule})`,
        // In NFC a text does not depend on how it was typed. No mark composes with the characters between the
        // texts of JSON.
        `constraint ${name}_nfc_check check (${base.startsWith('text') && base !== 'text[]' ? 'value' : 'value::text'} is nfc normalized)`,
        ...(column.endsWith('_region') ? [`constraint ${name}_case_check check (value !~ '[a-z]')`] : []),
      ];
      return `create domain ${name} as ${base} ${checks.join(' ')}`;
    }),
  );
}

function rules(): Record<'office' | 'agent' | 'team', Rule[]> {
  const ofAll = [
    ...texts(500, 'status_reason'),
    ...texts(255, 'source_name', 'source_key'),
    ...texts(50, 'mls_id'),
    ...texts(32, 'phone', 'fax'),
    ...texts(10, 'phone_ext'),
    ...texts(254, 'email'),
    ...texts(2048, 'website'),
    ...address('address'),
    object('metadata', 'metadata_within(value)'),
  ];
  return {
    office: [
      ...ofAll,
      ...names(255, 'name'),
      ...texts(255, 'legal_name'),
      ...texts(100, 'franchise'),
      ...texts(64, 'time_zone'),
      ...texts(50, 'type', 'national_association_id'),
      ...texts(4000, 'bio'),
      ...address('mailing_address'),
      list('licenses', 'licenses_within(value, 20)'),
    ],
    agent: [
      ...ofAll,
      ...names(100, 'first_name', 'last_name'),
      ...texts(100, 'middle_name', 'nickname', 'title'),
      ...texts(20, 'name_prefix', 'name_suffix'),
      ...texts(255, 'display_name'),
      ...texts(50, 'type', 'national_association_id'),
      ...texts(32, 'mobile_phone', 'direct_phone'),
      ...texts(2048, 'photo_url'),
      ...texts(4000, 'bio'),
      list('licenses', 'licenses_within(value, 50)'),
      list('affiliations', 'affiliations_within(value, 20)'),
      textList('languages', 'texts_within(value, 20, 35)'),
      textList('designations', 'texts_within(value, 30, 50)'),
    ],
    team: [
      ...ofAll,
      ...names(255, 'name'),
      ...texts(4000, 'description'),
      ...texts(32, 'office_phone', 'mobile_phone', 'direct_phone', 'toll_free_phone'),
      ...texts(10, 'office_phone_ext'),
      list('members', 'team_members_within(value, 100)'),
      textList('social_links', 'texts_within(value, 10, 2048)'),
    ],
  };
}

/** At most so many characters. A nullable text can't be empty. */
function texts(lengthMax: number, ...columns: string[]): Rule[] {
  return columns.map((column) => ({
    column,
    base: 'text',
    rule: `char_length(value) between 1 and ${lengthMax}`,
  }));
}

/** Sorted for any script, by Unicode's root collation. */
function names(lengthMax: number, ...columns: string[]): Rule[] {
  return texts(lengthMax, ...columns).map((rule) => ({ ...rule, base: 'text collate "und-x-icu"' }));
}

function address(prefix: string): Rule[] {
  const lengths = { line1: 100, line2: 100, city: 100, county: 100, region: 3, postal_code: 16 };
  return [
    ...Object.entries(lengths).flatMap(([part, lengthMax]) => texts(lengthMax, `${prefix}_${part}`)),
    { column: `${prefix}_country`, base: 'text', rule: `value ~ '^[A-Z]{2}$'` },
  ];
}

// Most lists are empty, and are then not examined.
function list(column: string, rule: string): Rule {
  return { column, base: 'jsonb', rule: `value = '[]' or ${rule}` };
}

function object(column: string, rule: string): Rule {
  return { column, base: 'jsonb', rule: `value = '{}' or ${rule}` };
}

function textList(column: string, rule: string): Rule {
  return { column, base: 'text[]', rule: `value = '{}' or ${rule}` };
}
