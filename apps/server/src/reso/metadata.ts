import {
  type Annotation,
  csdlXml,
  type EntitySet,
  type EntityType,
  type Model,
  type Property,
} from '@roster/odata';
import { eventFields } from './entity-events.ts';
import type { ResoField } from './fields.ts';
import { isRecordSet, keyNames, type SetName, setNames } from './paths.ts';
import { resources } from './resources.ts';
import { fieldSet, lookupSet } from './static-sets.ts';

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
  const { name, type, isDayOfTime, isNullable, isWritable, maxLength, lookupName } = field;
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

const fields: Record<SetName, readonly ResoField[]> = {
  Member: resources.Member.fields,
  Office: resources.Office.fields,
  EntityEvent: eventFields,
  Lookup: lookupSet.fields,
  Field: fieldSet.fields,
};

function typeOf(name: SetName): EntityType {
  const navigation = isRecordSet(name) ? resources[name].navigation : [];
  return {
    name,
    key: keyNames[name],
    properties: fields[name].map(propertyOf),
    navigation: navigation.map(({ name: property, target, isCollection }) => ({
      ...{ name: property, type: target, isCollection },
    })),
  };
}

const restriction = (term: string, record: Record<string, boolean>): Annotation => ({
  term: `Capabilities.${term}`,
  value: { record: Object.fromEntries(Object.entries(record).map(([name, boolean]) => [name, { boolean }])) },
});

/** What a set can do: only what there is. */
function setOf(name: SetName): EntitySet {
  const isWritten = isRecordSet(name);
  const isLog = name === 'EntityEvent';
  const navigation = isRecordSet(name) ? resources[name].navigation : [];
  // The log has one order.
  const isUnsortable = ({ type, name: field }: ResoField) =>
    type === 'texts' || (isLog && field !== 'EntityEventSequence');
  const unsortable = fields[name].filter(isUnsortable).map((field) => field.name);
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
      restriction('ExpandRestrictions', { Expandable: isWritten }),
      restriction('SearchRestrictions', { Searchable: false }),
      restriction('InsertRestrictions', { Insertable: isWritten }),
      restriction('UpdateRestrictions', { Updatable: isWritten }),
      restriction('DeleteRestrictions', { Deletable: isWritten }),
    ],
  };
}

/** The model of the service: the same fields that its JSON is made of. */
const model: Model = {
  namespace: NAMESPACE,
  container: 'Roster',
  vocabularies: ['Core', 'Capabilities'].map((alias) => ({
    alias,
    namespace: `Org.OData.${alias}.V1`,
    url: `${VOCABULARIES}/Org.OData.${alias}.V1.xml`,
  })),
  terms: [{ ...LOOKUP_TERM, type: 'Edm.String', appliesTo: 'Property' }],
  types: setNames.map(typeOf),
  sets: setNames.map(setOf),
  annotations: [
    {
      term: 'Capabilities.FilterFunctions',
      value: { texts: ['contains', 'startswith', 'endswith', 'tolower', 'now'] },
    },
    { term: 'Capabilities.BatchSupported', value: { boolean: false } },
  ],
};

/** The metadata document, as XML. */
export const metadataXml: string = csdlXml(model);
