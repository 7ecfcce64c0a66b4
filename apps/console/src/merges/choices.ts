import type { MergeChoice } from '@roster/client';
import { contracts, fieldOf, type ResourceName } from '../contract/contracts.ts';
import { isEqual } from '../edit/values/form-values.ts';
import { groupsOf } from '../resources/index.ts';
import { type DirectoryRecord, isEmpty } from '../resources/record.ts';

/** One of two records that are compared, by its place. */
export type Side = 0 | 1;

/** Whose value of a field stays. */
export type Choice = Side | 'both';

export type Choices = Readonly<Record<string, Choice>>;

/** Two records of a resource. */
export type Two = readonly [DirectoryRecord, DirectoryRecord];

export const otherSide = (side: Side): Side => (side === 0 ? 1 : 0);

/** The fields that can be written in the order in which a record shows them: those that differ, and those that are the same and not empty. */
export function compareFields(
  resource: ResourceName,
  [one, two]: Two,
): { different: string[]; same: string[] } {
  const isKnown = (name: string) => fieldOf(resource, name) !== undefined;
  const names = groupsOf(resource).flatMap(({ fields }) => fields.filter(isKnown));
  const isSame = (name: string) =>
    isEqual(one[name] ?? null, two[name] ?? null) || (isEmpty(one[name]) && isEmpty(two[name]));
  return {
    different: names.filter((name) => !isSame(name)),
    same: names.filter((name) => isSame(name) && !isEmpty(one[name])),
  };
}

/** Whether both values of a field can stay: lists and pairs are united. */
export function isUnited(resource: ResourceName, name: string): boolean {
  const kind = fieldOf(resource, name)?.kind;
  return kind === 'list' || kind === 'records' || kind === 'map';
}

/** Whose value of a field stays unless someone chooses, as the service decides it. */
export function defaultChoice(
  resource: ResourceName,
  name: string,
  { records, survivor }: { records: Two; survivor: Side },
): Choice {
  if (isUnited(resource, name)) return 'both';
  return isEmpty(records[survivor][name]) ? otherSide(survivor) : survivor;
}

/** The record that stays unless someone chooses: an active one rather than an inactive one, and the older of two. */
export function defaultSurvivor([one, two]: Two): Side {
  if (one.status !== two.status) return one.status === 'active' ? 0 : 1;
  return String(two.createdAt) < String(one.createdAt) ? 1 : 0;
}

/** The choices of all fields that differ, as the service takes them, so that nothing else is done than what is shown. */
export function mergeFields(
  resource: ResourceName,
  { records, survivor, choices }: { records: Two; survivor: Side; choices: Choices },
): Record<string, MergeChoice> {
  const { different } = compareFields(resource, records);
  return Object.fromEntries(
    different.map((name) => {
      const choice = choices[name] ?? defaultChoice(resource, name, { records, survivor });
      return [name, choice === 'both' ? choice : choice === survivor ? 'survivor' : 'duplicate'];
    }),
  );
}

/** The fields that somebody has changed in a record between two readings of it. */
export function changedSince(
  resource: ResourceName,
  before: DirectoryRecord,
  now: DirectoryRecord,
): string[] {
  const names = ['status', ...contracts[resource].fields.map(({ name }) => name)];
  return names.filter((name) => !isEqual(before[name] ?? null, now[name] ?? null));
}
