import { connect } from '@roster/db';

/** Agents made by the database itself, each with a name and a city to be found by; they have no events. */
const AGENTS = `
  insert into agent (id, created_at, updated_at, status_changed_at, first_name, last_name, email, title, languages,
    address_line1, address_city, address_country, source_name, source_key)
  select uuidv7(n * interval '-1 minute'), at, at, at, (array['Ana', 'Rui', 'Inês', 'João', 'Marta'])[1 + n % 5],
    (array['Silva', 'Santos', 'Ferreira', 'Pereira', 'Oliveira', 'Costa', 'Rodrigues', 'Martins', 'Sousa'])[1 + n % 9] || ' ' || n,
    'agent' || n || '@load.example', 'Consultant', array['pt-PT', 'en'], 'Rua ' || n % 300,
    (array['Lisboa', 'Porto', 'Braga', 'Faro', 'Évora', 'Coimbra', 'Aveiro', 'Setúbal'])[1 + n % 8], 'PT', 'load', n::text
  from generate_series(1, $1::int) as n, lateral (select (now() - n * interval '1 minute')::timestamptz(3) as at) as made`;

type Query = Parameters<ReturnType<typeof connect>['executeQuery']>[0];

/** Fills an empty directory with agents, once its tables are there; answers the ids of some of them. */
export async function fill(databaseUrl: string, agents: number): Promise<string[]> {
  const db = connect({ connection: databaseUrl, pool: { max: 1 }, timeouts: { statementMs: 0 } });
  const run = (sql: string, parameters: unknown[] = []) => {
    const query: Extract<Query, { query: unknown }>['query'] = {
      kind: 'RawNode',
      sqlFragments: [sql],
      parameters: [],
    };
    return db.executeQuery({ sql, parameters, query, queryId: { queryId: sql } });
  };
  try {
    await run(AGENTS, [agents]);
    await run('vacuum analyze agent');
    const { rows } = await run('select id from agent order by md5(id::text) limit 5000');
    return (rows as { id: string }[]).map(({ id }) => id);
  } finally {
    await db.destroy();
  }
}
