import type { Database } from '@roster/db';
import type { Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';

/** An agent between the table and the API, as a peer without a mapper of its own would write it by hand. */

/** The fields that are a text or an id of their own column. */
export const plainFields = [
  ...['firstName', 'lastName', 'middleName', 'nickname', 'namePrefix', 'nameSuffix', 'displayName', 'title'],
  ...['type', 'officeId', 'email', 'phone', 'phoneExt', 'mobilePhone', 'directPhone', 'fax', 'mlsId'],
  ...['nationalAssociationId', 'assistantToAgentId', 'website', 'photoUrl', 'bio'],
];
export const addressFields = ['line1', 'line2', 'city', 'county', 'region', 'postalCode', 'country'] as const;
const listFields = ['metadata', 'licenses', 'languages', 'designations'];

const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const writtenColumns = [...plainFields, ...listFields].map((field) => [field, columnOf(field)] as const);
const addressColumns = addressFields.map((part) => [part, `address_${columnOf(part)}`] as const);

type Address = Record<(typeof addressFields)[number], string | null>;

type Stored = Selectable<Database['agent']>;
/** A row of the table `agent`, as PostgreSQL's drivers return it, without what no response shows. */
export type AgentRow = Omit<
  Stored,
  'search_text' | 'record' | 'record_shape' | 'sorted_first_name' | 'sorted_last_name'
>;

/** Every column of a record but `search_text`, which the database computes and no response shows. */
export const columns = [
  ...['id', 'status', 'status_reason', 'status_changed_at', 'deactivated_at', 'created_at', 'updated_at'],
  ...['version', 'source_name', 'source_key', 'scheduled_changes', 'affiliations', 'transferred_at'],
  ...[...writtenColumns, ...addressColumns].map(([, column]) => column),
] as (keyof AgentRow)[];

/** The first of the days on which licenses expire. */
export function nextExpiryOf(licenses: unknown): string | null {
  const days = (licenses as { expiresOn: string | null }[]).flatMap(({ expiresOn }) => expiresOn ?? []);
  return days.toSorted()[0] ?? null;
}

/** The record of a row, as the API shows it. */
export function recordOf(row: AgentRow) {
  return {
    id: row.id,
    status: row.status,
    statusReason: row.status_reason,
    statusChangedAt: row.status_changed_at.toISOString(),
    deactivatedAt: row.deactivated_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    firstName: row.first_name,
    lastName: row.last_name,
    middleName: row.middle_name,
    nickname: row.nickname,
    namePrefix: row.name_prefix,
    nameSuffix: row.name_suffix,
    displayName:
      row.display_name ?? [row.first_name, row.last_name].filter((name) => name !== null).join(' '),
    title: row.title,
    type: row.type,
    officeId: row.office_id,
    transferredAt: row.transferred_at?.toISOString() ?? null,
    email: row.email,
    phone: row.phone,
    phoneExt: row.phone_ext,
    mobilePhone: row.mobile_phone,
    directPhone: row.direct_phone,
    fax: row.fax,
    mlsId: row.mls_id,
    nationalAssociationId: row.national_association_id,
    licenses: row.licenses,
    address: addressOf(row),
    languages: row.languages,
    designations: row.designations,
    assistantToAgentId: row.assistant_to_agent_id,
    website: row.website,
    photoUrl: row.photo_url,
    bio: row.bio,
    source: row.source_name && row.source_key ? { name: row.source_name, key: row.source_key } : null,
    metadata: row.metadata,
    scheduledChanges: row.scheduled_changes,
    affiliations: row.affiliations,
    nextLicenseExpiresOn: nextExpiryOf(row.licenses),
  };
}
export type AgentRecord = ReturnType<typeof recordOf>;

function addressOf(row: AgentRow): Address | null {
  const address: Address = {
    line1: row.address_line1,
    line2: row.address_line2,
    city: row.address_city,
    county: row.address_county,
    region: row.address_region,
    postalCode: row.address_postal_code,
    country: row.address_country,
  };
  return Object.values(address).some((part) => part !== null) ? address : null;
}

export type Body = Record<string, unknown>;

/** The columns that a body names. */
export function columnsOf(body: Body): Partial<AgentRow> {
  const row: Record<string, unknown> = {};
  for (const [field, column] of writtenColumns) if (body[field] !== undefined) row[column] = body[field];
  const address = body.address as Partial<Address> | null | undefined;
  if (address !== undefined)
    for (const [part, column] of addressColumns)
      if (address === null || address[part] !== undefined) row[column] = address?.[part] ?? null;
  return row as Partial<AgentRow>;
}

/** A row for `pg`, which makes an array of PostgreSQL of an array: these columns hold JSON. */
export function withJson<Row extends Partial<AgentRow>>(row: Row): Row {
  const written: Record<string, unknown> = { ...row };
  for (const column of ['metadata', 'licenses', 'scheduled_changes', 'affiliations'])
    if (column in written) written[column] = JSON.stringify(written[column]);
  return written as Row;
}

const empty: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));

/** The row of a new agent. */
export function newRow(body: Body): AgentRow {
  const now = new Date();
  const own = { id: uuidv7(), status: 'active', version: 1, metadata: {} };
  const lists = { licenses: [], scheduled_changes: [], affiliations: [], languages: [], designations: [] };
  const times = { created_at: now, updated_at: now, status_changed_at: now };
  return { ...empty, ...own, ...lists, ...times, ...columnsOf(body) } as AgentRow;
}

/** What a patch writes over a row. */
export function changeOf(body: Body, row: Pick<AgentRow, 'version' | 'office_id'>): Partial<AgentRow> {
  const change = { ...columnsOf(body), version: row.version + 1, updated_at: new Date() };
  const isMoved = change.office_id !== undefined && change.office_id !== row.office_id;
  return isMoved ? { ...change, transferred_at: change.updated_at } : change;
}

function eventOf(type: string, record: AgentRecord, previous: Body) {
  const { id: subject_id, version, updatedAt } = record;
  return { type, subject_id, version, occurred_at: new Date(updatedAt), record, previous };
}

export type AgentEvent = ReturnType<typeof eventOf>;

/** The event of a new agent, as a row. */
export const creationOf = (row: AgentRow): AgentEvent => eventOf('agent.created', recordOf(row), {});

/** The event of a patch, with what its fields were before. */
export function updateOf(body: Body, before: AgentRow, after: AgentRow): AgentEvent {
  const record: Body = recordOf(before);
  const previous = Object.fromEntries(Object.keys(body).map((field) => [field, record[field]]));
  return eventOf('agent.updated', recordOf(after), previous);
}

/** The version that If-Match names. */
export function versionOf(ifMatch: string | undefined): number {
  return Number(ifMatch?.replaceAll('"', ''));
}

/** The patterns of a search: every word has to occur somewhere in the folded text. */
export function patternsOf(q: string): string[] {
  const words = q.toUpperCase().split(/\s+/);
  return words.map((word) => `%${word}%`);
}

/** What a list is asked for. */
export interface ListQuery {
  limit: number;
  status?: string | undefined;
  region?: string | undefined;
  q?: string | undefined;
}
