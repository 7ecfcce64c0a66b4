import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** A node of a plan. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/**
 * How PostgreSQL runs a statement: without values as it runs those that are kept by name, once it has seen that their
 * values make no difference; with values as it runs it for those.
 */
export async function explained(
  db: Kysely<Database>,
  text: string,
  values?: string[] | ((type: string, place: string) => string),
): Promise<PlanNode[]> {
  return db.connection().execute(async (connection) => {
    const mode = values === undefined ? 'force_generic_plan' : 'force_custom_plan';
    await sql`set plan_cache_mode = ${sql.raw(mode)}`.execute(connection);
    await sql.raw(`prepare planned as ${text}`).execute(connection);
    const { rows: types } = await sql<{ type: string }>`
      select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'planned'`.execute(
      connection,
    );
    const givenBy = typeof values === 'function' ? values : () => 'null';
    const given = Array.isArray(values)
      ? values
      : types.map(({ type }, index) => givenBy(type, `$${index + 1}`));
    const explain = `explain (format json) execute planned${given.length > 0 ? `(${given.join()})` : ''}`;
    const { rows } = await sql.raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain).execute(connection);
    await sql`deallocate planned`.execute(connection);
    await sql`reset plan_cache_mode`.execute(connection);
    return nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan);
  });
}

const large: ReadonlySet<string> = new Set(['agent', 'agent_affiliation', 'office', 'event']);
/** The nodes that read a large table from end to end. */
export const scans = (nodes: PlanNode[], tables = large) =>
  nodes.filter((node) => node['Node Type'] === 'Seq Scan' && tables.has(node['Relation Name'] ?? ''));
/** The nodes that sort. */
export const sorts = (nodes: PlanNode[]) => nodes.filter((node) => /Sort/.test(node['Node Type']));
