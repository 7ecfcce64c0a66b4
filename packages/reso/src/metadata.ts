import { invalidParameter } from '@roster/api';
import type { Navigation } from './definitions/definition.ts';
import type { ResoField } from './fields/fields.ts';
import type { ResoRequest } from './protocol/service.ts';
import type { EntitySet } from './sets.ts';

const NAMESPACE = 'org.reso.metadata';
/** No public vocabulary has a term for it. */
const LOOKUP_TERM = { namespace: 'RESO.OData.Metadata', name: 'LookupName' };
const VOCABULARIES = 'https://oasis-tcs.github.io/odata-vocabularies/vocabularies';

const types: Record<ResoField['type'], string> = {
  text: 'Edm.String',
  id: 'Edm.String',
  texts: 'Edm.String',
  number: 'Edm.Int64',
  boolean: 'Edm.Boolean',
  time: 'Edm.DateTimeOffset',
  day: 'Edm.Date',
};

/** Times have milliseconds. */
const PRECISION = 3;

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escaped = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? '');

/** Leaves out undefined attributes. */
function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escaped(String(value))}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

function annotation(term: string, value: Attributes | string): string {
  return typeof value === 'string'
    ? element('Annotation', { Term: term }, [value])
    : element('Annotation', { Term: term, ...value });
}

function collection(items: readonly string[], name: 'String' | 'PropertyPath'): string {
  return element(
    'Collection',
    {},
    items.map((item) => element(name, {}, [escaped(item)])),
  );
}

const typeName = (type: string, isCollection: boolean) => (isCollection ? `Collection(${type})` : type);

function propertyElement(field: ResoField): string {
  const { name, type, isDayOfTime, isNullable, isWritable, maxLength, lookup, openLookup } = field;
  const lookupName = (lookup ?? openLookup)?.name;
  const attributes = {
    Name: name,
    Type: typeName(isDayOfTime ? types.day : types[type], type === 'texts'),
    Nullable: isNullable ? undefined : false,
    MaxLength: types[type] === 'Edm.String' ? maxLength : undefined,
    Precision: type === 'time' && !isDayOfTime ? PRECISION : undefined,
  };
  const annotations: string[] = [];
  if (lookupName !== undefined)
    annotations.push(annotation(`${LOOKUP_TERM.namespace}.${LOOKUP_TERM.name}`, { String: lookupName }));
  if (!isWritable) annotations.push(annotation('Core.Computed', { Bool: true }));
  return element('Property', attributes, annotations);
}

function navigationElement({ name, target, isCollection }: Navigation): string {
  return element('NavigationProperty', {
    Name: name,
    Type: typeName(`${NAMESPACE}.${target}`, isCollection),
  });
}

function typeElement({ name, key, fields, navigation }: EntitySet): string {
  return element('EntityType', { Name: name }, [
    element('Key', {}, [element('PropertyRef', { Name: key })]),
    ...fields.map(propertyElement),
    ...navigation.map(navigationElement),
  ]);
}

function capability(term: string, property: string, value: boolean | string): string {
  const propertyValue =
    typeof value === 'string'
      ? element('PropertyValue', { Property: property }, [value])
      : element('PropertyValue', { Property: property, Bool: value });
  return annotation(`Capabilities.${term}`, element('Record', {}, [propertyValue]));
}

/** The supported forms of conditions, if limited. */
function filterRestrictions({ fields, filters }: EntitySet): string[] {
  if (filters === undefined) return [];
  const unfilterable = fields.map(({ name }) => name).filter((name) => !(name in filters));
  const restrictions = Object.entries(filters).map(([name, expressions]) =>
    element('Record', {}, [
      element('PropertyValue', { Property: 'Property', PropertyPath: name }),
      element('PropertyValue', { Property: 'AllowedExpressions', String: expressions }),
    ]),
  );
  const record = element('Record', {}, [
    element('PropertyValue', { Property: 'NonFilterableProperties' }, [
      collection(unfilterable, 'PropertyPath'),
    ]),
    element('PropertyValue', { Property: 'FilterExpressionRestrictions' }, [
      element('Collection', {}, restrictions),
    ]),
  ]);
  return [
    annotation('Capabilities.FilterRestrictions', record),
    annotation('Capabilities.FilterFunctions', collection([], 'String')),
  ];
}

function setElement(set: EntitySet): string {
  const { name, fields, isSortable, navigation, write } = set;
  const isWritten = write !== undefined;
  const unsortable = fields.filter((field) => !isSortable(field)).map((field) => field.name);
  const paths = collection(unsortable, 'PropertyPath');
  return element('EntitySet', { Name: name, EntityType: `${NAMESPACE}.${name}` }, [
    ...navigation.map(({ name: path, target }) =>
      element('NavigationPropertyBinding', { Path: path, Target: target }),
    ),
    ...(unsortable.length > 0 ? [capability('SortRestrictions', 'NonSortableProperties', paths)] : []),
    ...filterRestrictions(set),
    capability('CountRestrictions', 'Countable', true),
    annotation('Capabilities.SkipSupported', { Bool: true }),
    capability('ExpandRestrictions', 'Expandable', navigation.length > 0),
    capability('SearchRestrictions', 'Searchable', false),
    capability('InsertRestrictions', 'Insertable', isWritten),
    capability('UpdateRestrictions', 'Updatable', isWritten),
    capability('DeleteRestrictions', 'Deletable', isWritten),
  ]);
}

function containerElement(sets: readonly EntitySet[]): string {
  const functions = ['contains', 'startswith', 'endswith', 'tolower', 'now'];
  return element('EntityContainer', { Name: 'Roster' }, [
    ...sets.map(setElement),
    annotation('Capabilities.FilterFunctions', collection(functions, 'String')),
    annotation('Capabilities.BatchSupported', { Bool: false }),
  ]);
}

function schemaElement(namespace: string, children: readonly string[]): string {
  return element(
    'Schema',
    { xmlns: 'http://docs.oasis-open.org/odata/ns/edm', Namespace: namespace },
    children,
  );
}

/** CSDL XML 4.0, which readers of 4.01 accept. Built from the same fields as the JSON. */
export function metadataOf(sets: readonly EntitySet[]): string {
  const references = ['Core', 'Capabilities'].map((alias) => {
    const namespace = `Org.OData.${alias}.V1`;
    return element('edmx:Reference', { Uri: `${VOCABULARIES}/${namespace}.xml` }, [
      element('edmx:Include', { Namespace: namespace, Alias: alias }),
    ]);
  });
  const lookupTerm = { Name: LOOKUP_TERM.name, Type: 'Edm.String', AppliesTo: 'Property' };
  const services = element('edmx:DataServices', {}, [
    schemaElement(NAMESPACE, [...sets.map(typeElement), containerElement(sets)]),
    schemaElement(LOOKUP_TERM.namespace, [element('Term', lookupTerm)]),
  ]);
  const attributes = { 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx', Version: '4.0' };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('edmx:Edmx', attributes, [...references, services])}\n`;
}

/** Throws `invalid_parameter` for any option except a `$format` of XML. */
export function checkMetadataOptions({ query }: Pick<ResoRequest, 'query'>): void {
  for (const [name, [value = '']] of Object.entries(query)) {
    if (!/^\$?format$/i.test(name))
      throw invalidParameter(name.slice(0, 100), 'not_supported', 'is not an option of the metadata');
    if (!/^(?:xml|application\/xml)$/i.test(value))
      throw invalidParameter('$format', 'not_supported', 'must be xml');
  }
}
