// Writes src/schemas/record-schemas.json: what may be written of an agent and an office, for the descriptions of the tools and for
// dry runs, because the schemas themselves would bring the service with them. Run by `npm run generate`; a test finds it stale.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '@roster/api';

type Json = Record<string, unknown>;

const { schemas } = (openApiDocument({ baseUrl: '/' }) as { components: { schemas: Record<string, Json> } })
  .components;

/** Members that a client of a tool does not need. */
const left = new Set(['example', 'examples', 'id', 'pattern']);

/** A schema without its references and examples. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Json;
  if (typeof $ref === 'string') {
    const target = compact(schemas[$ref.replace('#/components/schemas/', '')]) as Json;
    return { ...target, ...(compact(own) as Json) };
  }
  // The names of properties are no keywords.
  const { properties, ...keywords } = own;
  const kept = Object.entries(keywords).filter(([name]) => !left.has(name));
  return {
    ...Object.fromEntries(kept.map(([name, one]) => [name, compact(one)])),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Json).map(([name, one]) => [name, compact(one)]),
      ),
    }),
  };
}

/** The schemas of what is created and changed, by resource. */
export function recordSchemas(): Record<string, unknown> {
  return {
    agents: { create: compact(schemas.NewAgent), update: compact(schemas.AgentPatch) },
    offices: { create: compact(schemas.NewOffice), update: compact(schemas.OfficePatch) },
  };
}

if (import.meta.main) {
  const file = new URL('../src/schemas/record-schemas.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(recordSchemas(), null, 2)}\n`);
}
