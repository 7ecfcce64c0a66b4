import type { MergeChoice } from '@roster/client';
import { contracts, fieldOf, type ResourceName } from '../../api/contract/contracts.ts';
import type { FieldContract } from '../../api/contract/types.ts';
import { groupsOf } from '../../resources/index.ts';
import { type DirectoryRecord, type DuplicatePair, isEmpty, valueAt } from '../../resources/record.ts';
import { isEqual } from '../record/edit/form-values.ts';

export type Side = 0 | 1;

export type Choice = Side | 'both';

export type Choices = Readonly<Record<string, Choice>>;

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

/** Whether the parts of an object may come from two records: not of a source, of which both are required. */
const isFilled = (field: FieldContract | undefined) =>
  field?.kind === 'object' && field.parts?.every(({ isRequired }) => isRequired !== true) === true;

/** Whether both values of a field can stay: lists and pairs are united, an address gets the parts that it lacks. */
export function isUnited(resource: ResourceName, name: string): boolean {
  const field = fieldOf(resource, name);
  return field?.kind === 'list' || field?.kind === 'records' || field?.kind === 'map' || isFilled(field);
}

const comparable = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

function contradict(one: object, other: object): boolean {
  return Object.keys(one).some((part) => {
    const [first, second] = [valueAt(one, part), valueAt(other, part)];
    return !isEmpty(first) && !isEmpty(second) && comparable(first) !== comparable(second);
  });
}

/** Whether a field is the extension of a telephone number that only the other record has. */
function isOfOtherTelephone(resource: ResourceName, name: string, [one, other]: Two): boolean {
  const telephone = name.replace(/Ext$/, '');
  if (telephone === name || fieldOf(resource, telephone) === undefined) return false;
  return !isEmpty(one[telephone]) && one[telephone] !== other[telephone];
}

/** Whose value of a field stays unless someone chooses, as the service decides it. */
export function defaultChoice(
  resource: ResourceName,
  name: string,
  { records, survivor }: { records: Two; survivor: Side },
): Choice {
  const two = [records[survivor], records[otherSide(survivor)]] as const;
  const [one, other] = [two[0][name], two[1][name]];
  const isObject = isFilled(fieldOf(resource, name));
  if (isUnited(resource, name) && !isObject && !isEmpty(one) && !isEmpty(other)) return 'both';
  if (isEmpty(one)) return isOfOtherTelephone(resource, name, two) ? survivor : otherSide(survivor);
  return isObject && !contradict(Object(one), Object(other)) ? 'both' : survivor;
}

/** The fields that differ: those to decide about, and those that only one record has and the merged one gets. */
export function sortDifferences(
  resource: ResourceName,
  compared: { records: Two; survivor: Side },
): { toDecide: string[]; only: readonly [string[], string[]] } {
  const { records } = compared;
  const { different } = compareFields(resource, records);
  const onlyOf = (side: Side) =>
    different.filter(
      (name) => isEmpty(records[otherSide(side)][name]) && defaultChoice(resource, name, compared) === side,
    );
  const only = [onlyOf(0), onlyOf(1)] as const;
  const certain = new Set(only.flat());
  return { toDecide: different.filter((name) => !certain.has(name)), only };
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

export function changedSince(
  resource: ResourceName,
  before: DirectoryRecord,
  now: DirectoryRecord,
): string[] {
  const names = ['status', ...contracts[resource].fields.map(({ name }) => name)];
  return names.filter((name) => !isEqual(before[name] ?? null, now[name] ?? null));
}

export type PairIds = readonly [string, string];

export function idsOf({ records: [first, second] }: Pick<DuplicatePair, 'records'>): PairIds {
  return [first?.id ?? '', second?.id ?? ''];
}

export function isPairOf(pair: Pick<DuplicatePair, 'records'>, ids: PairIds): boolean {
  return idsOf(pair).toSorted().join() === ids.toSorted().join();
}

/**
 * The pair to go on with after one: the next of the list; of the last one the first of those before it.
 *
 * @param gone the record that is no more, whose other pairs are none any more
 */
export function findNextPair(
  pairs: readonly DuplicatePair[],
  current: PairIds,
  gone?: string,
): DuplicatePair | undefined {
  const at = pairs.findIndex((pair) => isPairOf(pair, current));
  const isLeft = (pair: DuplicatePair) =>
    !isPairOf(pair, current) && (gone === undefined || !idsOf(pair).includes(gone));
  return pairs.slice(at + 1).find(isLeft) ?? pairs.find(isLeft);
}
