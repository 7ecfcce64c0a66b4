import { Agent, NewAgent, NewOffice, Office } from '@roster/api';
import { queryFields } from '@roster/api/query';
import type { QueryFieldType } from '@roster/api/server';
import { resoNames } from '@roster/import/reso-names';
import type { z } from 'zod';
import { type JsonSchema, schemaAt } from './json-schemas.ts';
import { type Lookup, lookups, type openLookups } from './lookups.ts';

/** A field of Member or Office, and where a record of the API has it. */
export interface ResoField {
  name: string;
  /** The path in the record, such as `address.city`; its name in conditions too. */
  path: string;
  type: QueryFieldType;
  /** Whether it is the day of a time, in UTC. */
  isDayOfTime: boolean;
  /** In characters; of a list, of each of its texts. */
  maxLength?: number;
  isNullable: boolean;
  isWritable: boolean;
  /** Whether the Data Dictionary has it. Others are shown only if `$select` names them. */
  isStandard: boolean;
  lookup?: Lookup;
  /** The name of its lookup, also of an open one, whose values are those that records have. */
  lookupName?: string;
}

/** A field of a set whose records the service makes itself: a text that is never null unless `options` say otherwise. */
export function readOnlyField(name: string, options: Partial<ResoField> = {}): ResoField {
  return {
    ...{ name, path: name, type: 'text', isDayOfTime: false, isStandard: true },
    ...{ isNullable: false, isWritable: false },
    ...options,
  };
}

/** What begins the names of fields that the Data Dictionary does not have. */
const PREFIX = 'X_Roster';

interface Schemas {
  read: z.ZodType;
  write: z.ZodType;
}

const schemas: Record<'agents' | 'offices', Schemas> = {
  agents: { read: Agent, write: NewAgent },
  offices: { read: Office, write: NewOffice },
};

/** Fields whose values are those of a lookup. */
const lookupsOfFields: Readonly<Record<string, Lookup>> = {
  MemberStatus: lookups.MemberStatus,
  OfficeStatus: lookups.OfficeStatus,
  OfficeBranchType: lookups.OfficeBranchType,
  MemberCountry: lookups.Country,
  OfficeCountry: lookups.Country,
};

/** Fields whose values are free texts, with the names of their open lookups. */
const openLookupsOfFields: Readonly<Record<string, keyof typeof openLookups>> = {
  MemberType: 'MemberType',
  MemberDesignation: 'MemberDesignation',
  MemberLanguages: 'Languages',
  MemberStateOrProvince: 'StateOrProvince',
  MemberStateLicenseState: 'StateOrProvince',
  MemberCountyOrParish: 'CountyOrParish',
  OfficeType: 'OfficeType',
  OfficeStateOrProvince: 'StateOrProvince',
  OfficeCountyOrParish: 'CountyOrParish',
};

/** Fields that are written by other procedures than those of their resource: the status. */
const writtenOtherwise: readonly string[] = ['status'];

/** Times of which the Data Dictionary has the day. */
const daysOfTimes: readonly string[] = ['MemberTransferDate'];

/**
 * The fields of a resource: those of the Data Dictionary in the order of its table, then the others. A name of the table that no
 * record has of its own, such as the second half of a postal code, is no field.
 */
export function fieldsOf(resource: 'agents' | 'offices'): ResoField[] {
  const paths = queryFields[resource];
  const standard = Object.entries(resoNames[resource]).filter(([, path]) => Object.hasOwn(paths, path));
  const known = new Set(standard.map(([, path]) => path));
  const others = Object.keys(paths).filter((path) => !known.has(path));
  return [
    ...standard.map(([name, path]) => fieldOf(resource, { name, path, isStandard: true })),
    ...others.map((path) => fieldOf(resource, { name: ownName(path), path, isStandard: false })),
  ];
}

/** `mailingAddress.city` is `X_RosterMailingAddressCity`, `licenses[0].region` is `X_RosterLicenseRegion`. */
function ownName(path: string): string {
  const words = path.replace('licenses[0]', 'license').split('.');
  return PREFIX + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function fieldOf(
  resource: 'agents' | 'offices',
  { name, path, isStandard }: Pick<ResoField, 'name' | 'path' | 'isStandard'>,
): ResoField {
  const type = queryFields[resource][path]?.type ?? 'text';
  const { read, write } = schemas[resource];
  const shown = schemaAt(read, 'output', path);
  const written = schemaAt(write, 'input', path);
  const maxLength = lengthOf(type, shown) ?? lengthOf(type, written);
  const lookup = lookupsOfFields[name];
  const lookupName = lookup?.name ?? openLookupsOfFields[name];
  return {
    ...{ name, path, type, isStandard },
    isDayOfTime: daysOfTimes.includes(name),
    ...(maxLength !== undefined && { maxLength }),
    isNullable: type !== 'texts' && (path.includes('.') || acceptsNull(shown)),
    isWritable: written !== undefined || writtenOtherwise.includes(path),
    ...(lookup && { lookup }),
    ...(lookupName !== undefined && { lookupName }),
  };
}

/** The length of an id in characters. */
const UUID_LENGTH = 36;

function lengthOf(type: QueryFieldType, schema: JsonSchema | undefined): number | undefined {
  if (type === 'id') return UUID_LENGTH;
  return type === 'texts' ? schema?.items?.maxLength : schema?.maxLength;
}

function acceptsNull(schema: JsonSchema | undefined): boolean {
  if (schema?.type?.includes('null')) return true;
  return schema?.anyOf?.some(({ type }) => type === 'null') ?? false;
}
