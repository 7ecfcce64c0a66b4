import { formatNumber, listNames } from '../errors/issue-text.ts';
import { RosterError } from '../errors/roster-error.ts';
import { pointerTo } from '../errors/to-roster-error.ts';
import { CHARACTERS_OF_UNIT, waitForCapacity } from './validation-queue.ts';

/** Far more than any record has, few enough to be validated at once. */
export const NAMES_MAX = 200;
export const ITEMS_MAX = 500;
export const VALUES_MAX = 2_000;
export const LEVELS_MAX = 32;

/** More than any input may hold, and where. */
interface Excess {
  path: PropertyKey[];
  code: 'too_many' | 'too_deep';
  detail: string;
}

/** What an input holds: its values, as far as they were counted, and what is too many of them. */
export interface Extent {
  values: number;
  /** What it costs to validate it, in units of work (`work-turns.ts`). */
  units: number;
  excess: Excess | undefined;
}

/**
 * Counts the values of an input before its schema looks at them: a schema names every fault of every value, which of
 * hundreds of thousands takes seconds. Ends at the first object, list or depth that is beyond what any input has.
 */
export function extentOf(input: unknown): Extent {
  const extent: Extent = { values: 0, units: 0, excess: undefined };
  count(input, [], extent);
  return extent;
}

function count(value: unknown, path: PropertyKey[], extent: Extent): void {
  tally(value, extent);
  if (typeof value !== 'object' || value === null) return;
  extent.excess ??= excessAt(value, path, extent);
  if (extent.excess !== undefined) return;
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, part] of parts) {
    if (typeof part === 'object' && part !== null) count(part, [...path, name], extent);
    else tally(part, extent);
    if (extent.excess !== undefined) return;
  }
}

function tally(value: unknown, extent: Extent): void {
  extent.values += 1;
  extent.units += typeof value === 'string' ? 1 + value.length / CHARACTERS_OF_UNIT : 1;
}

function excessAt(value: object, path: PropertyKey[], { values }: Extent): Excess | undefined {
  const tooMany = (detail: string): Excess => ({ path, code: 'too_many', detail });
  if (path.length > LEVELS_MAX) {
    return { path: [], code: 'too_deep', detail: `must not be nested deeper than ${LEVELS_MAX} levels` };
  }
  if (values > VALUES_MAX)
    return { ...tooMany(`must hold at most ${formatNumber(VALUES_MAX)} values`), path: [] };
  if (Array.isArray(value)) {
    return value.length > ITEMS_MAX ? tooMany(`must hold at most ${ITEMS_MAX} items`) : undefined;
  }
  const names = Object.keys(value);
  if (names.length <= NAMES_MAX) return undefined;
  return tooMany(`must hold at most ${NAMES_MAX} names, not ${listNames(names)}`);
}

/** More units of work than an ordinary record is; what is less is validated without waiting for a turn. */
const ORDINARY_UNITS_MAX = 200;

/**
 * Refuses an input, or a part of it, that holds more than any may, and resolves when the turn of the event loop has room to
 * validate it: the calls of a batch arrive together. Rejects with `validation_failed`.
 */
export async function refuseExcess(input: unknown): Promise<void> {
  const { excess, units } = extentOf(input);
  if (excess !== undefined) throw refusalOfExcess(excess);
  if (units > ORDINARY_UNITS_MAX) await waitForCapacity(units);
}

/** Refuses a list of records that is too long to be looked at one by one, and names beside it. */
export async function refuseExcessBeside(field: string, input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null) return;
  const { [field]: records, ...others } = input as Record<string, unknown>;
  await refuseExcess(others);
  if (!Array.isArray(records) || records.length <= ITEMS_MAX) return;
  throw refusalOfExcess({ path: [field], code: 'too_many', detail: `must hold at most ${ITEMS_MAX} items` });
}

function refusalOfExcess({ path, code, detail }: Excess): RosterError {
  const errors = [{ pointer: path.length === 0 ? '#' : pointerTo(path), code, detail }];
  return new RosterError('validation_failed', `${path.join('.') || 'The body'} ${detail}.`, { errors });
}
