import { agentJson } from './agent-json.ts';

/**
 * What PostGraphile is given beside the tables, as its documentation asks where tables are not enough: functions of
 * SQL, one for the search and one for each change, which writes its event in the same statement.
 */
const logged = (type: string, previous: string) => `
  insert into event (type, subject_id, version, occurred_at, record, previous)
  select '${type}', id, version, updated_at, ${agentJson}, ${previous} from (select (changed).*) as agent;`;

/** Four words at most; where there are fewer the pattern is `%%`, which the index leaves to the others. */
const words = [1, 2, 3, 4]
  .map((word) => `search_text like '%' || split_part(upper(q), ' ', ${word}) || '%'`)
  .join(' and ');

export const postgraphileFunctions = `
  create function search_agents(q text) returns setof agent language sql stable as $$
    select * from agent
    where ${words}
    order by created_at desc, id desc
  $$;

  create function bench_create_agent(fields json) returns agent language plpgsql volatile as $$
  declare
    made timestamptz(3) := clock_timestamp();
    changed agent;
  begin
    insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, title, email, phone,
      office_id, address_line1, address_city, address_region, address_country)
    values (gen_random_uuid(), made, made, made, fields ->> 'firstName', fields ->> 'lastName', fields ->> 'title',
      fields ->> 'email', fields ->> 'phone', (fields ->> 'officeId')::uuid, fields #>> '{address,line1}',
      fields #>> '{address,city}', fields #>> '{address,region}', fields #>> '{address,country}')
    returning * into changed;
    ${logged('agent.created', `'{}'`)}
    return changed;
  end $$;

  create function bench_patch_agent(agent_id uuid, expected int, new_title text) returns agent
  language plpgsql volatile as $$
  declare
    old_title text;
    changed agent;
  begin
    select title into old_title from agent where id = agent_id and version = expected for no key update;
    if not found then
      raise exception 'another version';
    end if;
    update agent set title = new_title, version = version + 1, updated_at = clock_timestamp() where id = agent_id
    returning * into changed;
    ${logged('agent.updated', `json_build_object('title', old_title)`)}
    return changed;
  end $$;
`;
