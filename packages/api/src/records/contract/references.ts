import type { Field } from '@roster/fields';
import { definitions } from '../../directory/registry.ts';
import { columnOf } from '../../engine/fields/columns.ts';

function* relations(): Generator<[field: string, table: string]> {
  for (const { fields, references } of definitions) {
    for (const name of Object.keys(fields)) {
      const { table, items } = references[columnOf(name)] ?? {};
      if (table !== undefined) yield [items?.field ?? name, table];
    }
  }
}

const inputs: Readonly<Record<string, string>> = { toOfficeId: 'officeId', officeIds: 'officeId' };

const tables = new Map<string, string>();
for (const [field, table] of relations()) {
  if ((tables.get(field) ?? table) !== table) throw new Error(`${field} refers to two resources`);
  tables.set(field, table);
}

function referredResource({ name, kind, item }: Field, resource: string): string | undefined {
  if ((item?.kind ?? kind) !== 'reference') return undefined;
  if (name === 'ids') return resource;
  const table = tables.get(inputs[name] ?? name);
  return definitions.find((definition) => definition.table === table)?.name;
}

export function withReferences(fields: readonly Field[], resource: string): Field[] {
  return fields.map((field) => {
    const refersTo = referredResource(field, resource);
    const { parts, variants } = field;
    return {
      ...field,
      ...(parts !== undefined && { parts: withReferences(parts, resource) }),
      ...(variants !== undefined && {
        variants: variants.map((variant) => withReferences(variant, resource)),
      }),
      ...(refersTo !== undefined && { refersTo }),
    };
  });
}
