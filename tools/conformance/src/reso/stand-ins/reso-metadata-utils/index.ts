import { xml2json } from 'odata-csdl';

/** A property of an entity type, or a way to another one, in the JSON of CSDL. */
interface Member {
  $Kind?: 'NavigationProperty';
  $Type?: string;
  $Collection?: boolean;
  $Nullable?: boolean;
  $MaxLength?: number;
  $Precision?: number;
}

/** The name of a type without its namespace and `Collection(…)`. */
export const extractTypeName = (type: string) =>
  type.replace(/^Collection\((.*)\)$/, '$1').replace(/^.*\./, '');

/** What an element of the JSON has beside what CSDL says of it. */
function childrenOf<Child>(element: Record<string, unknown>): [string, Child][] {
  return Object.entries(element).filter(([name]) => !/^[$@]/.test(name)) as [string, Child][];
}

/** The type as XML names it. */
const typeOf = ({ $Type = 'Edm.String', $Collection }: Member) =>
  $Collection ? `Collection(${$Type})` : $Type;

function propertyOf([name, member]: [string, Member]) {
  const { $Nullable = false, $MaxLength: maxLength, $Precision: precision } = member;
  const annotations = Object.entries(member).filter(([key]) => key.startsWith('@'));
  return {
    name,
    type: typeOf(member),
    nullable: $Nullable,
    maxLength,
    precision,
    annotations: Object.fromEntries(annotations.map(([term, value]) => [term.slice(1), String(value)])),
  };
}

function navigationOf([name, member]: [string, Member]) {
  const { $Type = '', $Collection: isCollection = false } = member;
  return { name, type: typeOf(member), isCollection, entityTypeName: extractTypeName($Type) };
}

function entityTypeOf([name, element]: [string, Record<string, unknown>]) {
  const members = childrenOf<Member>(element);
  const isNavigation = ([, { $Kind }]: [string, Member]) => $Kind === 'NavigationProperty';
  return {
    name,
    key: element.$Key as string[],
    properties: members.filter((member) => !isNavigation(member)).map(propertyOf),
    navigationProperties: members.filter(isNavigation).map(navigationOf),
  };
}

/** Reads a metadata document without enumerations and complex types, as that of Roster is. */
export function parseCsdlXml(xml: string) {
  const document = xml2json(xml, { strict: true, messages: [] });
  const [namespace, name] = String(document.$EntityContainer).split(/\.(?=[^.]*$)/) as [string, string];
  const elements = childrenOf<Record<string, unknown>>(document[namespace] ?? {});
  const ofKind = (kind: string) => elements.filter(([, { $Kind }]) => $Kind === kind);
  for (const kind of ['EnumType', 'ComplexType'])
    if (ofKind(kind).length > 0) throw new Error(`the stand-in reads no ${kind}`);
  const entitySets = childrenOf<Member>(document[namespace]?.[name] ?? {});
  return {
    namespace,
    entityTypes: ofKind('EntityType').map(entityTypeOf),
    enumTypes: [],
    complexTypes: [],
    entityContainer: {
      name,
      entitySets: entitySets.map(([set, { $Type = '' }]) => ({ name: set, entityType: $Type })),
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
