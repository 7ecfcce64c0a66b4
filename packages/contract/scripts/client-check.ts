import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Field, RecordContract } from '../src/field.ts';

/** The files of packages/contract that the client has a copy of, because what is published depends on no package of the workspace. */
const copied = ['check.ts', 'field.ts', 'json-pointer.ts'];

/** What a check does not read. */
const unread = ['description', 'example', 'pattern', 'refersTo', 'isAlwaysSet'];

const fieldsText = (fields: Record<string, readonly Field[]>) =>
  JSON.stringify(fields, (key, value: unknown) => (unread.includes(key) ? undefined : value));

/** The check of new records and of patches, for applications without the sources of the service, by the names of its files. */
export function clientCheck({
  texts,
  patterns,
  records,
  patches,
}: {
  /** The module that reads texts as the service does. */
  texts: string;
  patterns: object;
  records: Record<string, RecordContract>;
  patches: Record<string, Field[]>;
}): Record<string, string> {
  const created = Object.entries(records).map(([name, { fields }]) => {
    return [name, fields.filter(({ isReadOnly }) => isReadOnly !== true)] as const;
  });
  const sources = copied.map((name) => {
    const text = readFileSync(join(import.meta.dirname, '../src', name), 'utf8');
    return [
      name,
      `// Generated: a copy of packages/contract/src/${name}.\n${text.replace('../generated/', './')}`,
    ];
  });
  const resources = Object.keys(records).map((name) => JSON.stringify(name));
  return {
    ...Object.fromEntries(sources),
    'text.ts': `// Generated: a copy of packages/api/src/engine/sameness/text.ts.\n${texts}`,
    'patterns.ts': `// Generated from the schemas of the service by packages/contract.
/** The patterns that the texts of some kinds match. */
export const patterns: Record<'reference' | 'date' | 'time' | 'country', string> = ${JSON.stringify(patterns)};
`,
    'records.ts': `// Generated from the schemas of the service by packages/contract.
import type { BareField } from './field.ts';

/** The fields that are checked, by resource. */
type Fields = Readonly<Record<${resources.join(' | ')}, readonly BareField[]>>;

/** The fields of a new record. */
export const created: Fields = ${fieldsText(Object.fromEntries(created))};

/** The fields of a patch. */
export const patched: Fields = ${fieldsText(patches)};
`,
  };
}
