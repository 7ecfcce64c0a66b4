import type { FieldError } from '@roster/api';
import type { ResoResource } from '../fields/fields.ts';

/** OData 4.01 JSON format, section 4.6. `@odata.bind`, `@odata.removed` and `@odata.delta` have effects. */
const described = new Set([
  'associationLink',
  'context',
  'count',
  'deltaLink',
  'editLink',
  'etag',
  'id',
  'mediaContentType',
  'mediaEditLink',
  'mediaEtag',
  'mediaReadLink',
  'metadataEtag',
  'navigationLink',
  'nextLink',
  'readLink',
  'type',
]);

/** Allows control information, so that clients can send back what they read. */
export function unknownMember(name: string, resource: ResoResource): FieldError | undefined {
  const [, property = '', word = ''] = /^([^@]*)@(?:odata\.)?([^@]*)$/.exec(name) ?? [];
  const navigation = resource.navigation.find((one) => one.name === (property || name));
  const isKnown = property === '' || navigation !== undefined || resource.byName.has(property);
  if (isKnown && described.has(word)) return undefined;
  const parameter = name.slice(0, 100);
  if (navigation === undefined) return { parameter, code: 'unknown_field', detail: 'is not a field' };
  const key = resource.fields.find(({ path }) => path === navigation.path)?.name;
  const detail =
    key === undefined || navigation.isCollection
      ? 'is not changed here, but with the entities that it leads to'
      : `cannot be bound: ${key} takes the key of ${navigation.target}`;
  return { parameter, code: 'not_supported', detail };
}
