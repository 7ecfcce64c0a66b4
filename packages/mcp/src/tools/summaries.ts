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

const shared = ['id', 'version', 'status'];
const reachable = ['email', 'phone', 'nextLicenseExpiresOn'];

/** An agent in a few fields; `office` if it was read with its office. */
export function agentSummary(agent: Row): Record<string, unknown> {
  return {
    ...pick(agent, [...shared, 'displayName', 'title', ...reachable, 'mobilePhone', 'officeId']),
    ...('office' in agent && { officeName: part(agent, 'office').name ?? null }),
    ...pick(part(agent, 'address'), ['city']),
  };
}

/** An office in a few fields; `counts` if it was read with them. */
export function officeSummary(office: Row): Record<string, unknown> {
  return {
    ...pick(office, [...shared, 'name', 'branchType', 'mainOfficeId', ...reachable, 'mlsId']),
    ...pick(part(office, 'address'), ['city', 'region', 'country']),
    ...pick(office, ['counts']),
  };
}

/** A record of each resource in a few fields. */
export const summaries: Readonly<Record<ResourceName, (record: Row) => Record<string, unknown>>> = {
  agents: agentSummary,
  offices: officeSummary,
};

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
