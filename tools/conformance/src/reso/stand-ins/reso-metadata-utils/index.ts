import { XMLParser } from 'fast-xml-parser';

/** An element of CSDL: its attributes, and the lists of its children by their names. */
interface Element {
  [name: string]: string | Element[] | undefined;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  ignoreDeclaration: true,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  removeNSPrefix: true,
  isArray: (_name: string, _path: string, _isLeaf: boolean, isAttribute: boolean) => !isAttribute,
});

function childrenOf(element: Element | undefined, name: string): Element[] {
  const children = element?.[name];
  return Array.isArray(children) ? children.filter((child) => typeof child === 'object') : [];
}

function textOf(element: Element | undefined, name: string): string {
  const value = element?.[name];
  return typeof value === 'string' ? value : '';
}

/** The number of an attribute; undefined without it. */
const numberOf = (element: Element, name: string) => Number(textOf(element, name)) || undefined;
const nameOf = (element: Element) => textOf(element, 'Name');

/** The name of a type without its namespace and `Collection(…)`. */
export const extractTypeName = (type: string) =>
  type.replace(/^Collection\((.*)\)$/, '$1').replace(/^.*\./, '');

function propertyOf(element: Element) {
  const annotations = childrenOf(element, 'Annotation').map((one) => [
    textOf(one, 'Term'),
    textOf(one, 'String') || textOf(one, 'Bool'),
  ]);
  return {
    name: nameOf(element),
    type: textOf(element, 'Type'),
    nullable: textOf(element, 'Nullable') !== 'false',
    maxLength: numberOf(element, 'MaxLength'),
    precision: numberOf(element, 'Precision'),
    annotations: Object.fromEntries(annotations) as Record<string, string>,
  };
}

function navigationOf(element: Element) {
  const type = textOf(element, 'Type');
  const isCollection = type.startsWith('Collection(');
  return { name: nameOf(element), type, isCollection, entityTypeName: extractTypeName(type) };
}

function entityTypeOf(element: Element) {
  return {
    name: nameOf(element),
    key: childrenOf(childrenOf(element, 'Key')[0], 'PropertyRef').map(nameOf),
    properties: childrenOf(element, 'Property').map(propertyOf),
    navigationProperties: childrenOf(element, 'NavigationProperty').map(navigationOf),
  };
}

/** Reads a metadata document without enumerations and complex types, as that of Roster is. */
export function parseCsdlXml(xml: string) {
  const [document] = childrenOf(parser.parse(xml) as Element, 'Edmx');
  const schemas = childrenOf(childrenOf(document, 'DataServices')[0], 'Schema');
  const schema = schemas.find((one) => childrenOf(one, 'EntityType').length > 0);
  for (const name of ['EnumType', 'ComplexType'])
    if (childrenOf(schema, name).length > 0) throw new Error(`the stand-in reads no ${name}`);
  const [container] = childrenOf(schema, 'EntityContainer');
  const entitySets = childrenOf(container, 'EntitySet');
  return {
    namespace: textOf(schema, 'Namespace'),
    entityTypes: childrenOf(schema, 'EntityType').map(entityTypeOf),
    enumTypes: [],
    complexTypes: [],
    entityContainer: {
      name: textOf(container, 'Name'),
      entitySets: entitySets.map((one) => ({ name: nameOf(one), entityType: textOf(one, 'EntityType') })),
    },
  };
}

/** Says which names of a metadata document lead nowhere. */
export function validateCsdl({ entityTypes, entityContainer }: ReturnType<typeof parseCsdlXml>) {
  const names = entityTypes.map(({ name }) => name);
  const errors = entityTypes.flatMap(({ name, key, properties, navigationProperties }) => [
    ...key
      .filter((part) => !properties.some((property) => property.name === part))
      .map((part) => `${name} has no key ${part}`),
    ...navigationProperties
      .filter(({ entityTypeName }) => !names.includes(entityTypeName))
      .map(({ entityTypeName }) => `${name} leads to ${entityTypeName}`),
  ]);
  for (const { name, entityType } of entityContainer.entitySets)
    if (!names.includes(extractTypeName(entityType))) errors.push(`${name} is of ${entityType}`);
  return { valid: errors.length === 0, errors: errors.map((message) => ({ message })) };
}

export class MetadataFetchError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor({ status, headers }: Response) {
    super(`the metadata document is answered with ${status}`);
    this.status = status;
    this.headers = Object.fromEntries(headers);
  }
}

export async function fetchRawMetadataWithVersion(
  url: string,
  token: string,
  { useFormatParam = true } = {},
) {
  const query = useFormatParam ? '?$format=application/xml' : '';
  const response = await fetch(`${url}/$metadata${query}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new MetadataFetchError(response);
  return { xml: await response.text(), odataVersion: response.headers.get('odata-version') ?? undefined };
}

export async function fetchRawMetadata(...of: Parameters<typeof fetchRawMetadataWithVersion>) {
  return (await fetchRawMetadataWithVersion(...of)).xml;
}

/** Roster has no enumerations whose values are flags. */
export const decodeFlagsValue = (): never[] => [];

function fieldsOf({ name, properties, navigationProperties }: ReturnType<typeof entityTypeOf>): object[] {
  const common = { resourceName: name, isEnumeration: false };
  const own = properties.map(({ name: fieldName, annotations, ...facets }) => ({
    ...common,
    fieldName,
    ...facets,
    ...(facets.type.startsWith('Collection(') && { isCollection: true }),
    annotations: Object.entries(annotations).map(([term, value]) => ({ term, value })),
  }));
  const expansions = navigationProperties.map(({ name: fieldName, type, isCollection, entityTypeName }) => ({
    ...common,
    fieldName,
    type,
    nullable: true,
    annotations: [],
    isExpansion: true,
    typeName: entityTypeName,
    sourceResource: entityTypeName,
    ...(isCollection && { isCollection }),
  }));
  return [...own, ...expansions];
}

/** The metadata report of RESO: all fields of a metadata document in one list. */
export function generateMetadataReport(xml: string, version: string): object {
  const { entityTypes } = parseCsdlXml(xml);
  return {
    description: 'RESO Data Dictionary Metadata Report',
    version,
    generatedOn: new Date().toISOString(),
    resources: entityTypes.map(({ name }) => name),
    fields: entityTypes.flatMap(fieldsOf),
    models: [],
    lookups: [],
    actions: [],
    functions: [],
  };
}
