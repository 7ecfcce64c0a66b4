import { pointerTo } from '../errors/describe-issue.ts';
import { formatNumber, listNames } from '../errors/issue-text.ts';
import { invalidInput, type RosterError } from '../errors/roster-error.ts';
import { CHARACTERS_PER_UNIT, waitForCapacity } from './validation-queue.ts';

// Above any record, and low enough to validate an input without a pause.
export const NAMES_MAX = 200;
export const ITEMS_MAX = 500;
export const VALUES_MAX = 2_000;
export const LEVELS_MAX = 32;

interface LimitExceeded {
  path: PropertyKey[];
  code: 'too_many' | 'too_deep';
  detail: string;
}

interface InputSize {
  values: number;
  units: number;
  exceeded: LimitExceeded | undefined;
}

/** Before validation, because a schema lists every error of hundreds of thousands of values. */
export function measureInput(input: unknown): InputSize {
  const size: InputSize = { values: 0, units: 0, exceeded: undefined };
  measure(input, [], size);
  return size;
}

function measure(value: unknown, path: PropertyKey[], size: InputSize): void {
  addValue(value, size);
  if (typeof value !== 'object' || value === null) return;
  size.exceeded ??= limitExceededBy(value, path, size);
  if (size.exceeded !== undefined) return;
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, part] of parts) {
    if (typeof part === 'object' && part !== null) measure(part, [...path, name], size);
    else addValue(part, size);
    if (size.exceeded !== undefined) return;
  }
}

function addValue(value: unknown, size: InputSize): void {
  size.values += 1;
  size.units += typeof value === 'string' ? 1 + value.length / CHARACTERS_PER_UNIT : 1;
}

function limitExceededBy(
  value: object,
  path: PropertyKey[],
  { values }: InputSize,
): LimitExceeded | undefined {
  const tooMany = (detail: string): LimitExceeded => ({ path, code: 'too_many', detail });
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

/** More than most records cost; smaller inputs don't queue. */
const UNITS_WITHOUT_WAIT = 200;

/** Rejects with `validation_failed`. Waits for capacity, because calls of a batch arrive together. */
export async function checkInputSize(input: unknown): Promise<void> {
  const { exceeded, units } = measureInput(input);
  if (exceeded !== undefined) throw toError(exceeded);
  if (units > UNITS_WITHOUT_WAIT) await waitForCapacity(units);
}

export async function checkInputSizeExcept(field: string, input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null) return;
  const { [field]: records, ...others } = input as Record<string, unknown>;
  await checkInputSize(others);
  if (!Array.isArray(records) || records.length <= ITEMS_MAX) return;
  throw toError({ path: [field], code: 'too_many', detail: `must hold at most ${ITEMS_MAX} items` });
}

function toError({ path, code, detail }: LimitExceeded): RosterError {
  return invalidInput({ pointer: path.length === 0 ? '#' : pointerTo(path), code, detail });
}
