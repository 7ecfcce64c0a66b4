import { type Annotation, csdlXml, type EntitySet, type EntityType, type Property } from '@roster/odata';
import type { ResoField } from './fields/fields.ts';
import { optionError } from './protocol/errors.ts';
import type { ResoRequest } from './protocol/service.ts';
import type { EntitySet as ResoSet } from './sets.ts';

const NAMESPACE = 'org.reso.metadata';
const LOOKUP_TERM = { namespace: 'RESO.OData.Metadata', name: 'LookupName' };
const VOCABULARIES = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies';

const types: Record<ResoField['type'], Property['type']> = {
  text: 'Edm.String',
  id: 'Edm.String',
  texts: 'Edm.String',
  number: 'Edm.Int64',
  boolean: 'Edm.Boolean',
  time: 'Edm.DateTimeOffset',
  day: 'Edm.Date',
};

/** Digits of the fractions of seconds: times are shown in milliseconds. */
const PRECISION = 3;

function propertyOf(field: ResoField): Property {
  const { name, type, isDayOfTime, isNullable, isWritable, maxLength, lookup, openLookup } = field;
  const lookupName = (lookup ?? openLookup)?.name;
  const annotations: Annotation[] = [];
  if (lookupName !== undefined)
    annotations.push({ term: `${LOOKUP_TERM.namespace}.${LOOKUP_TERM.name}`, value: { text: lookupName } });
  if (!isWritable) annotations.push({ term: 'Core.Computed', value: { boolean: true } });
  return {
    name,
    type: isDayOfTime ? 'Edm.Date' : types[type],
    isCollection: type === 'texts',
    isNullable,
    ...(types[type] === 'Edm.String' && maxLength !== undefined && { maxLength }),
    ...(type === 'time' && !isDayOfTime && { precision: PRECISION }),
    annotations,
  };
}

function typeOf({ name, key, fields, navigation }: ResoSet): EntityType {
  return {
    name,
    key,
    properties: fields.map(propertyOf),
    navigation: navigation.map(({ name: property, target, isCollection }) => ({
      name: property,
      type: target,
      isCollection,
    })),
  };
}

const restriction = (term: string, record: Record<string, boolean>): Annotation => ({
  term: `Capabilities.${term}`,
  value: { record: Object.fromEntries(Object.entries(record).map(([name, boolean]) => [name, { boolean }])) },
});

/** An entity set in the metadata, with only the capabilities that it has. */
function setOf({ name, fields, isSortable, navigation, write }: ResoSet): EntitySet {
  const isWritten = write !== undefined;
  const unsortable = fields.filter((field) => !isSortable(field)).map((field) => field.name);
  const sortable: Annotation = {
    term: 'Capabilities.SortRestrictions',
    value: { record: { NonSortableProperties: { paths: unsortable, of: 'property' } } },
  };
  return {
    name,
    bindings: Object.fromEntries(navigation.map(({ name: property, target }) => [property, target])),
    annotations: [
      ...(unsortable.length > 0 ? [sortable] : []),
      restriction('CountRestrictions', { Countable: true }),
      { term: 'Capabilities.SkipSupported', value: { boolean: true } },
      restriction('ExpandRestrictions', { Expandable: navigation.length > 0 }),
      restriction('SearchRestrictions', { Searchable: false }),
      restriction('InsertRestrictions', { Insertable: isWritten }),
      restriction('UpdateRestrictions', { Updatable: isWritten }),
      restriction('DeleteRestrictions', { Deletable: isWritten }),
    ],
  };
}

/** The annotations of the container: what all sets have. */
const capabilities: readonly Annotation[] = [
  {
    term: 'Capabilities.FilterFunctions',
    value: { texts: ['contains', 'startswith', 'endswith', 'tolower', 'now'] },
  },
  { term: 'Capabilities.BatchSupported', value: { boolean: false } },
];

/** The metadata document of some sets, as XML: of the same fields that their JSON is made of. */
export function metadataOf(sets: readonly ResoSet[]): string {
  return csdlXml({
    namespace: NAMESPACE,
    container: 'Roster',
    vocabularies: ['Core', 'Capabilities'].map((alias) => ({
      alias,
      namespace: `Org.OData.${alias}.V1`,
      url: `${VOCABULARIES}/Org.OData.${alias}.V1.xml`,
    })),
    terms: [{ ...LOOKUP_TERM, type: 'Edm.String', appliesTo: 'Property' }],
    types: sets.map(typeOf),
    sets: sets.map(setOf),
    annotations: capabilities,
  });
}

/** Throws `invalid_parameter` for any option of the metadata but a `$format` that is XML. */
export function checkMetadataOptions({ query }: Pick<ResoRequest, 'query'>): void {
  for (const [name, [value = '']] of Object.entries(query)) {
    if (!/^\$?format$/i.test(name))
      throw optionError(name.slice(0, 100), 'not_supported', 'is not an option of the metadata');
    if (!/^(?:xml|application\/xml)$/i.test(value))
      throw optionError('$format', 'not_supported', 'must be xml');
  }
}
