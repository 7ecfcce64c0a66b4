import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field, Operation, RecordContract } from '@roster/fields';

/** The files of packages/fields that the client has a copy of, because what is published depends on no package of the workspace. */
const copied = ['check.ts', 'field.ts', 'json-pointer.ts', 'patterns.ts', 'text.ts'];

/** What a check does not read. */
const unread = ['description', 'example', 'pattern', 'refersTo', 'isAlwaysSet'];

const fieldsText = (fields: Record<string, readonly Field[]>) =>
  JSON.stringify(fields, (key, value: unknown) => (unread.includes(key) ? undefined : value));

/** The check of new records and of patches, for applications without the sources of the service, by the names of its files. */
export function clientCheck({
  operations,
  records,
}: {
  operations: Record<string, Operation>;
  records: Record<string, RecordContract>;
}): Record<string, string> {
  const patches = Object.keys(records).map(
    (name) => [name, operations[`${name}.update`]?.fields ?? []] as const,
  );
  const created = Object.entries(records).map(([name, { fields }]) => {
    return [name, fields.filter(({ isReadOnly }) => isReadOnly !== true)] as const;
  });
  const sources = copied.map((name) => {
    const text = readFileSync(join(import.meta.dirname, '../../fields/src', name), 'utf8');
    return [name, `// Generated: a copy of packages/fields/src/${name}.\n${text}`];
  });
  const resources = Object.keys(records).map((name) => JSON.stringify(name));
  return {
    ...Object.fromEntries(sources),
    'records.ts': `// Generated from the schemas of the service by packages/contract.
import type { BareField } from './field.ts';

/** The fields that are checked, by resource. */
type Fields = Readonly<Record<${resources.join(' | ')}, readonly BareField[]>>;

/** The fields of a new record. */
export const created: Fields = ${fieldsText(Object.fromEntries(created))};

/** The fields of a patch. */
export const patched: Fields = ${fieldsText(Object.fromEntries(patches))};
`,
  };
}
