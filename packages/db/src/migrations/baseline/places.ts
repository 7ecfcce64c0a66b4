/**
 * The place of work of an agent: its own address, else that of its office, else that of the nearest office
 * above with one. An own address with a country alone counts only where no office has an address.
 *
 * Triggers keep it in columns of the agent, with the name of its office, for searches, filters and counts. It
 * is no part of the record, so it makes no version and no event. Locks go upwards only, from an agent to its
 * office and the offices above; a change of an office passes over the agents that other changes have locked.
 */
const parts = ['line1', 'line2', 'city', 'county', 'region', 'postal_code', 'country'];
const columnsOf = (row: string, names = parts) => names.map((part) => `${row}.address_${part}`).join(', ');

const hasAddress = (row: string) => `num_nonnulls(${columnsOf(row)}) > 0`;
/** A country alone, as in a file with a column for telephones, does not say where somebody works. */
const hasPlace = (row: string) => `num_nonnulls(${columnsOf(row, parts.slice(0, -1))}) > 0`;

const kept = ['city', 'region', 'postal_code', 'country'];
const keptColumns = ['office_name', 'place_office_id', ...kept.map((part) => `place_${part}`)];

/** The values of these columns, from variables: the name of the office, and the place that the office gives. */
const valuesOf = (row: string) => [
  'named',
  `case when ${hasPlace(row)} then null else place.office_id end`,
  ...kept.map(
    (part) =>
      `case when place.office_id is null or ${hasPlace(row)} then ${row}.address_${part} else place.${part} end`,
  ),
];
const isStale = `office_id = of_office
          and (${keptColumns.join(', ')}) is distinct from (${valuesOf('agent').join(', ')})`;

/** At most that many agents in the statement that changes their office; the others are in the backlog. */
const AT_ONCE_MAX = 500;
/** No tree of offices is that high. The check for circles may run later. */
const LEVELS_MAX = 100;

export const places = [
  `create type work_place as (office_id uuid, city text, region text, postal_code text, country text)`,
  `create function place_of_office(start uuid, is_locked boolean) returns work_place language plpgsql as $$
    declare
      place work_place;
      found record;
      next uuid := start;
    begin
      for level in 1 .. ${LEVELS_MAX} loop
        exit when next is null;
        if is_locked then
          perform from office where id = next for share;
        end if;
        select office.id, office.main_office_id, ${hasAddress('office')} as has_address,
          ${columnsOf('office', kept)} into found from office where id = next;
        if found.has_address then
          place := (found.id, ${kept.map((part) => `found.address_${part}`).join(', ')});
          return place;
        end if;
        next := found.main_office_id;
      end loop;
      return place;
    end $$`,

  // The name of the trigger comes before that of `agent_is_kept`, which builds the searched text.
  `create function agent_finds_place() returns trigger language plpgsql as $$
    declare
      place work_place;
      named text;
    begin
      if new.office_id is not null then
        select name into named from office where id = new.office_id for share;
        if not (${hasPlace('new')}) then
          place := place_of_office(new.office_id, true);
        end if;
      end if;
      ${valuesOf('new')
        .map((value, at) => `new.${keptColumns[at]} := ${value};`)
        .join('\n      ')}
      return new;
    end $$`,
  `create trigger agent_finds_place before insert on agent
    for each row execute function agent_finds_place()`,
  `create trigger agent_finds_place_again before update of office_id, ${parts.map((part) => `address_${part}`).join(', ')} on agent
    for each row when ((new.office_id, ${columnsOf('new')}) is distinct from (old.office_id, ${columnsOf('old')}))
    execute function agent_finds_place()`,

  // Offices whose agents may have another place or name of their office. Repeated rows are harmless.
  `create table place_backlog (
    id bigint generated always as identity primary key,
    office_id uuid not null
  )`,
  // `is_left`: whether others of the office are left, because they are too many or locked.
  `create function place_agents(of_office uuid, count_max int, out placed int, out is_left boolean)
    language plpgsql as $$
    declare
      place work_place := place_of_office(of_office, false);
      named text := (select name from office where id = of_office);
    begin
      with stale as (
        select id from agent where ${isStale}
        limit count_max for no key update skip locked
      )
      update agent set (${keptColumns.join(', ')}) = row(${valuesOf('agent').join(', ')})
      from stale where agent.id = stale.id;
      get diagnostics placed = row_count;
      is_left := exists (select from agent where ${isStale});
    end $$`,
  // With a different address or main office, also the agents of the offices below that have no address.
  `create function office_places_agents() returns trigger language plpgsql as $$
    declare
      affected uuid;
      is_one boolean := (new.main_office_id, ${columnsOf('new')}) is not distinct from (old.main_office_id, ${columnsOf('old')});
    begin
      for affected in
        with recursive below (id, level) as (
          select new.id, 1
          union all
          select office.id, level + 1 from below join office on office.main_office_id = below.id
          where not is_one and not (${hasAddress('office')}) and level < ${LEVELS_MAX}
        )
        select distinct id from below order by id
      loop
        if (place_agents(affected, ${AT_ONCE_MAX})).is_left then
          insert into place_backlog (office_id) values (affected);
          perform pg_notify('roster_places', '');
        end if;
      end loop;
      return null;
    end $$`,
  `create trigger office_places_agents after update of name, main_office_id, ${parts.map((part) => `address_${part}`).join(', ')} on office
    for each row when ((new.name, new.main_office_id, ${columnsOf('new')})
      is distinct from (old.name, old.main_office_id, ${columnsOf('old')}))
    execute function office_places_agents()`,

  // The searched text without the place, which is its last field, if that is the address of an office out of the limit.
  `create function agent_text_within(shown agent, offices uuid[]) returns text
    language sql stable parallel safe
    return case when shown.place_office_id is null or shown.place_office_id = any(offices) then shown.search_text
      else left(shown.search_text, -char_length(split_part(shown.search_text, '|', -2)) - 3) end`,
  // The numbers of licences, as they are written and without signs.
  `create function license_texts(licenses jsonb) returns text language plpgsql immutable parallel safe as $$
    declare
      texts text := '';
      written text;
      bare text;
    begin
      for place in 0 .. jsonb_array_length(licenses) - 1 loop
        written := licenses -> place ->> 'number';
        bare := regexp_replace(written, '[^[:alnum:]]', '', 'g');
        texts := texts || ' ' || written || case when bare <> written then ' ' || bare else '' end;
      end loop;
      return texts;
    end $$`,
];
