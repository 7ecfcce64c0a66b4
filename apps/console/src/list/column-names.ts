import type { SearchParams } from '../page/search-params.ts';

type Resource = 'offices' | 'agents';

const address = ['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'];
const partsOf = (field: string) => address.map((part) => `${field}.${part}`);

const reach = ['email', 'phone', 'phoneExt'];
const origin = ['source.name', 'source.key', 'metadata', 'scheduledChanges'];
const state = [
  'nextLicenseExpiresOn',
  'createdAt',
  'updatedAt',
  'statusChangedAt',
  'statusReason',
  'deactivatedAt',
];
const ids = ['version', 'id'];

/** The columns that each list can show, by the paths of their fields, in the order in which they are offered. */
export const allColumns: Readonly<Record<Resource, readonly string[]>> = {
  agents: [
    'displayName',
    'status',
    'officeId',
    ...reach,
    'mobilePhone',
    'directPhone',
    'fax',
    'title',
    'type',
    'firstName',
    'lastName',
    'middleName',
    'nickname',
    'namePrefix',
    'nameSuffix',
    'affiliations',
    'mlsId',
    'nationalAssociationId',
    'licenses',
    ...state,
    'transferredAt',
    ...partsOf('address'),
    'languages',
    'designations',
    'assistantToAgentId',
    'website',
    'photoUrl',
    'bio',
    ...origin,
    ...ids,
  ],
  offices: [
    'name',
    'status',
    'address.city',
    ...reach,
    'fax',
    'counts.agents',
    'counts.affiliatedAgents',
    'counts.branches',
    'legalName',
    'branchType',
    'type',
    'mainOfficeId',
    'brokerAgentId',
    'managerAgentId',
    'franchise',
    'mlsId',
    'nationalAssociationId',
    'licenses',
    ...state,
    ...partsOf('address').filter((name) => name !== 'address.city'),
    ...partsOf('mailingAddress'),
    'timeZone',
    'website',
    'bio',
    ...origin,
    ...ids,
  ],
};

/** The columns that each list shows unless its URL or the browser knows others. */
export const defaultColumns: Readonly<Record<Resource, readonly string[]>> = {
  agents: ['displayName', 'status', 'officeId', 'email', 'phone', 'nextLicenseExpiresOn', 'updatedAt'],
  offices: ['name', 'status', 'address.city', 'phone', 'email', 'counts.agents', 'updatedAt'],
};

/** What this browser remembers of the columns of a list. */
export interface ColumnPreferences {
  /** The visible ones in their order. */
  names?: string[];
  /** In pixels. */
  widths?: Record<string, number>;
}

const storageKey = (resource: Resource) => `roster.columns.${resource}`;

export function columnPreferences(resource: Resource): ColumnPreferences {
  try {
    return JSON.parse(localStorage.getItem(storageKey(resource)) ?? '{}') as ColumnPreferences;
  } catch {
    return {};
  }
}

export function rememberColumns(resource: Resource, change: ColumnPreferences): void {
  try {
    localStorage.setItem(storageKey(resource), JSON.stringify({ ...columnPreferences(resource), ...change }));
  } catch {
    // A browser without storage forgets them with the page.
  }
}

/**
 * The visible columns in their order: those of the URL, otherwise those that the browser remembers, otherwise the default ones.
 * Names that the list does not have are left out. The column of the name is always there, as it opens the record.
 */
export function visibleColumns(resource: Resource, { columns }: SearchParams): string[] {
  const given = columns === undefined ? columnPreferences(resource).names : [columns].flat();
  const known = (given ?? []).filter((name) => allColumns[resource].includes(name));
  if (known.length === 0) return [...defaultColumns[resource]];
  const name = nameColumn(resource);
  return known.includes(name) ? [...new Set(known)] : [name, ...new Set(known)];
}

/** The column with the link that opens the record. */
export const nameColumn = (resource: Resource) => (resource === 'agents' ? 'displayName' : 'name');

/** The value at a path of a record: `address.city`. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
