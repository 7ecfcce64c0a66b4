import { type CsdlEntityType, parseCsdlXml } from './csdl.ts';

export { extractTypeName, parseCsdlXml, validateCsdl } from './csdl.ts';

export class MetadataFetchError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor({ status, headers }: Response) {
    super(`the metadata document is answered with ${status}`);
    this.status = status;
    this.headers = Object.fromEntries(headers);
  }
}

interface FetchedMetadata {
  xml: string;
  odataVersion: string | undefined;
}

export async function fetchRawMetadataWithVersion(
  url: string,
  token: string,
  { useFormatParam = true } = {},
): Promise<FetchedMetadata> {
  const query = useFormatParam ? '?$format=application/xml' : '';
  const response = await fetch(`${url}/$metadata${query}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok) throw new MetadataFetchError(response);
  return { xml: await response.text(), odataVersion: response.headers.get('odata-version') ?? undefined };
}

export async function fetchRawMetadata(
  ...of: Parameters<typeof fetchRawMetadataWithVersion>
): Promise<string> {
  return (await fetchRawMetadataWithVersion(...of)).xml;
}

/** Roster has no enumerations whose values are flags. */
export const decodeFlagsValue = (): never[] => [];

function fieldsOf({ name: resourceName, properties, navigationProperties }: CsdlEntityType): object[] {
  const own = properties.map(({ name, annotations, type, ...facets }) => ({
    resourceName,
    fieldName: name,
    type,
    ...facets,
    isEnumeration: false,
    ...(type.startsWith('Collection(') && { isCollection: true }),
    annotations: Object.entries(annotations).map(([term, value]) => ({ term, value })),
  }));
  const expansions = navigationProperties.map(({ name, type, isCollection, entityTypeName }) => ({
    resourceName,
    fieldName: name,
    type,
    nullable: true,
    isEnumeration: false,
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
