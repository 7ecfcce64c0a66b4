export const recordIndexes = [
  // The earliest last day as YYYY-MM-DD, text without a cast, which could fail. PL/pgSQL without a query
  // takes a fraction of the time.
  `create function next_license_expiry(licenses jsonb) returns text
    language plpgsql immutable parallel safe as $$
    declare
      earliest text collate "C";
    begin
      for place in 0 .. jsonb_array_length(licenses) - 1 loop
        earliest := least(earliest, licenses -> place ->> 'expiresOn');
      end loop;
      return earliest;
    end $$`,
  // Compared numbers: sl777 is SL777, L-1 is L1; a number of only signs is itself. The signs are those of
  // resources/sameness/licenses.ts.
  String.raw`create function license_number_keys(licenses jsonb) returns text[]
    language plpgsql immutable parallel safe as $$
    declare
      keys text[] := '{}';
      capitals text;
    begin
      for place in 0 .. jsonb_array_length(licenses) - 1 loop
        capitals := normalize(upper(normalize(licenses -> place ->> 'number', nfkc) collate "und-x-icu"), nfc);
        keys := keys || coalesce(nullif(regexp_replace(capitals, '[\t\n\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u2212\u2215\u3000-\u3003\u3008-\u3020\u3030]+', '', 'g'), ''), capitals);
      end loop;
      return keys;
    end $$`,
  ...['office', 'agent', 'team'].flatMap((table) => [
    `create index ${table}_created_at_idx on ${table} (created_at, id)`,
    `create index ${table}_updated_at_idx on ${table} (updated_at, id)`,
    `create index ${table}_inactive_idx on ${table} (deactivated_at, id) where status = 'inactive'`,
    `create index ${table}_search_idx on ${table} using gin (search_text gin_trgm_ops)`,
    // Records whose name equals the search come first. A name can be too long for an index.
    `create index ${table}_shown_name_idx on ${table} (left(split_part(search_text, '|', 2), 200))`,
    `create index ${table}_mls_id_idx on ${table} (mls_id)`,
    `create index ${table}_source_key_idx on ${table} (source_key)`,
    `create index ${table}_region_idx on ${table} (address_country, address_region)`,
  ]),
  ...['office', 'agent'].flatMap((table) => [
    `create index ${table}_license_number_idx on ${table} using gin (license_number_keys(licenses))`,
    // Records without a date come last in both directions, so each direction has its own index.
    `create index ${table}_license_expiry_idx on ${table} ((coalesce(next_license_expiry(licenses), '~') collate "C"), id)`,
    `create index ${table}_license_expiry_desc_idx on ${table} ((coalesce(next_license_expiry(licenses), '') collate "C"), id)`,
  ]),
  // An agent's email is unique ignoring case; others are only looked up. Uses Unicode's rules in any locale:
  // in C, `lower` knows 26 letters. A deferrable constraint would let agents exchange addresses too, but two
  // transactions that write the same address would wait for each other.
  `create unique index agent_email_key on agent ((lower(email collate "und-x-icu")), is_email_moving)`,
  `create index office_email_idx on office ((lower(email collate "und-x-icu")))`,
  `create index team_email_idx on team ((lower(email collate "und-x-icu")))`,

  // By name: all, or of a region, a city or an office. With the last change, those of an office can be sorted
  // by it too.
  'create index office_name_idx on office (name, id)',
  'create index office_region_name_idx on office (address_region, name, id)',
  `create index office_city_name_idx on office (lower(address_city collate "und-x-icu"), name, id)`,
  `create index office_folded_name_idx on office ((upper(regexp_replace(normalize(name, nfkc), '\\s+', ' ', 'g') collate "und-x-icu") collate "C"))`,
  'create index agent_by_last_name_idx on agent (sorted_last_name, sorted_first_name, id)',
  'create index agent_by_first_name_idx on agent (sorted_first_name, sorted_last_name, id)',
  'create index agent_place_region_idx on agent (place_region, sorted_last_name, sorted_first_name, id)',
  // Agents without a place come after all cities, by the last character of the collation.
  `create index agent_place_city_idx on agent (
    coalesce(lower(place_city collate "und-x-icu"), '\uffff'), sorted_last_name, sorted_first_name, id)`,
  `create index agent_place_postal_code_idx on agent (lower(place_postal_code collate "und-x-icu"))`,
  'create index agent_place_country_idx on agent (place_country, place_region)',
  // An own address is rare. For RESO.
  `create index agent_own_city_idx on agent (lower(address_city collate "und-x-icu")) where address_city is not null`,
  'create index agent_office_by_name_idx on agent (office_id, sorted_last_name, sorted_first_name, id) include (updated_at)',
  // For equality in queries.
  'create index agent_last_name_idx on agent (last_name)',
  'create index team_name_idx on team (name, id)',
  'create index team_region_name_idx on team (address_region, name, id)',
  `create index team_city_name_idx on team (lower(address_city collate "und-x-icu"), name, id)`,
  'create index team_office_name_idx on team (office_id, name, id) include (updated_at)',

  // By reference. An office has few inactive agents: with their index, active ones are counted without
  // reading rows.
  'create index agent_office_id_idx on agent (office_id, created_at, id)',
  `create index agent_inactive_office_idx on agent (office_id) where status = 'inactive' and office_id is not null`,
  `create index agent_assistant_to_agent_id_idx on agent (assistant_to_agent_id)
    where assistant_to_agent_id is not null`,
  `create index office_main_office_id_idx on office (main_office_id, created_at, id)
    where main_office_id is not null`,
  'create index office_broker_agent_id_idx on office (broker_agent_id) where broker_agent_id is not null',
  'create index office_manager_agent_id_idx on office (manager_agent_id) where manager_agent_id is not null',
  'create index team_office_id_idx on team (office_id, created_at, id)',

  // By the ends of phone numbers, in any form.
  phoneIndex('office', ['phone', 'fax']),
  phoneIndex('agent', ['phone', 'mobile_phone', 'direct_phone', 'fax']),
  phoneIndex('team', ['phone', 'office_phone', 'mobile_phone', 'direct_phone', 'toll_free_phone', 'fax']),
];

/** The last seven digits without an extension. */
function phoneIndex(table: string, columns: string[]): string {
  const ends = columns.map(
    (column) => `right(regexp_replace(substring(${column} from '[0-9][^a-zA-Z#;]*'), '[^0-9]', '', 'g'), 7)`,
  );
  return `create index ${table}_telephone_idx on ${table} using gin ((array[${ends.join(', ')}]))`;
}
