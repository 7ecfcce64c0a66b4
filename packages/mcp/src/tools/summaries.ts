import { records } from '@roster/contract/records';
import type { ResourceName, Row } from '../service.ts';

/** An object inside a record; empty if the record has none. */
function part(record: Row, name: string): Row {
  const value = record[name];
  return typeof value === 'object' && value !== null ? (value as Row) : {};
}

/** Some fields of a record, without those that have no value. */
function pick(record: Row, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => (record[name] ?? null) !== null).map((name) => [name, record[name]]),
  );
}

/** The fields of a summary, of those that a record has: what it is, how it is reached, and to what it belongs. */
const summarised: readonly string[] = [
  ...['id', 'version', 'status', 'name', 'displayName', 'title', 'branchType', 'mlsId'],
  ...['email', 'phone', 'mobilePhone', 'nextLicenseExpiresOn', 'counts'],
];
const place: readonly string[] = ['city', 'region', 'country'];

/** A record in a few fields, with the name of the record that it belongs to if it was read with it. */
export function summaryOf(resource: ResourceName, record: Row): Record<string, unknown> {
  const { parentField } = records[resource];
  const parent = parentField.replace(/Id$/, '');
  return {
    ...pick(record, [...summarised, parentField]),
    ...(parent in record && { [`${parent}Name`]: part(record, parent).name ?? null }),
    ...pick(part(record, 'address'), place),
  };
}

/** A change of a record: who, when and why, and each field before and after. */
export function changeSummary({ actor, ...change }: Row): Record<string, unknown> {
  const { type = null } = (actor ?? {}) as Row;
  return {
    ...pick(change, [
      'version',
      'type',
      'occurredAt',
      'actorName',
      'actorId',
      'reason',
      'details',
      'changes',
    ]),
    actorType: type,
  };
}
