import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation, RecordContract } from '@roster/fields';

/** The files of packages/fields that the client has a copy of, because what is published depends on no package of the workspace. */
const copied = ['check.ts', 'field.ts', 'json-pointer.ts', 'objects.ts', 'patterns.ts', 'text.ts'];

/** What a check does not read. */
const unread = ['description', 'example', 'pattern', 'refersTo', 'isAlwaysSet'];

const checkedText = (checked: Record<string, unknown>) =>
  JSON.stringify(checked, (key, value: unknown) => (unread.includes(key) ? undefined : value));

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
  const created = Object.entries(records).map(([name, { fields, nameParts }]) => {
    return [name, { fields: fields.filter(({ isReadOnly }) => isReadOnly !== true), nameParts }] as const;
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

/** What is checked, by resource. */
type Checked<Value> = Readonly<Record<${resources.join(' | ')}, Value>>;

/** The fields of a new record, and those of which one must be set. */
export const created: Checked<{ fields: readonly BareField[]; nameParts?: readonly string[] }> = ${checkedText(Object.fromEntries(created))};

/** The fields of a patch. */
export const patched: Checked<readonly BareField[]> = ${checkedText(Object.fromEntries(patches))};
`,
  };
}
