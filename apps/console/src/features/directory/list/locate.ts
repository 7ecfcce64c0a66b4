import type { DirectoryRecord, RecordPage } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { daysFromNow, isDuration } from '../../fields/durations.ts';
import { type ListRequest, listInput } from './queries.ts';

/** The largest distance of a row from the place to which the scrollbar was dragged, as a part of the list. */
const NEAR = 0.02;
/** Counts that are asked for at most before a place is good enough. */
const STEPS_MAX = 8;

const countedBy: Readonly<Record<string, string>> = {
  createdAt: 'createdBefore',
  updatedAt: 'updatedBefore',
  nextLicenseExpiresOn: 'licenseExpiresBefore',
};

const DAY_MS = 86_400_000;

const fieldOf = (sort: string) => sort.replace('-', '');
const isDescending = (sort: string) => sort.startsWith('-');

function sortValue(record: DirectoryRecord | undefined, sort: string): string | undefined {
  const value = (record as Record<string, unknown> | undefined)?.[fieldOf(sort)];
  return typeof value === 'string' ? value : undefined;
}

const read = (request: ListRequest, more: object, signal: AbortSignal): Promise<RecordPage> =>
  callsOf(request.resource).list.query({ ...listInput(request), limit: 1, ...more }, { signal });

async function readEnds(request: ListRequest, signal: AbortSignal): Promise<[string, string] | undefined> {
  const { sort } = request;
  const reverse = isDescending(sort) ? fieldOf(sort) : `-${sort}`;
  const [first, last] = await Promise.all([
    read(request, {}, signal),
    read(request, { sort: reverse }, signal),
  ]);
  const start = sortValue(first.items[0], sort);
  const end = sortValue(last.items[0], sort);
  return start === undefined || end === undefined ? undefined : [start, end];
}

/** The earlier of two limits of a filter, of which the first may be a number of days from now. */
function earlier(given: unknown, value: string): string {
  if (typeof given !== 'string') return value;
  const days = daysFromNow(given);
  const limit =
    days === undefined ? given : new Date(Date.now() + days * DAY_MS).toISOString().slice(0, value.length);
  // A duration of other units is left out: what comes before it is counted with the rest.
  return !isDuration(limit) && limit < value ? limit : value;
}

/**
 * The row at which a list begins with `startAt`: counted if the API can, otherwise by the place of the letters between the first
 * and the last name.
 */
export async function findRank(
  request: ListRequest,
  startAt: string,
  total: number,
  signal: AbortSignal,
): Promise<{ row: number; isExact: boolean }> {
  const name = countedBy[fieldOf(request.sort)];
  if (name === undefined) {
    const ends = await readEnds(request, signal);
    if (ends === undefined) return { row: 0, isExact: false };
    const part = (numberOf(startAt) - numberOf(ends[0])) / (numberOf(ends[1]) - numberOf(ends[0]));
    return { row: Math.round(clamp(part) * total), isExact: false };
  }
  const before = { [name]: earlier(request.filter[name], startAt), includeTotal: true };
  const { total: count = 0 } = await read(request, before, signal);
  const isExact = !isDescending(request.sort);
  return { row: isExact ? count : Math.max(0, total - count), isExact };
}

const clamp = (part: number) => (Number.isFinite(part) ? Math.max(0, Math.min(part, 1)) : 0);

const LETTERS = 4;
const RADIX = 27;

/** A name as a number between 0 and 1 that grows with its place in the alphabet; other scripts by their code points. */
export function numberOf(name: string): number {
  const folded = name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const letters = folded.replaceAll(/[^\p{L}\p{N}]/gu, '');
  let number = 0;
  for (let at = LETTERS - 1; at >= 0; at -= 1) {
    const code = letters.codePointAt(at) ?? 0;
    const digit = code === 0 ? 0 : code < 97 ? 0.5 : code > 122 ? 26.5 : code - 96;
    number = (number + digit) / RADIX;
  }
  return number;
}

export function nameAt(number: number): string {
  let rest = number;
  let name = '';
  for (let at = 0; at < LETTERS; at += 1) {
    rest *= RADIX;
    const digit = Math.min(Math.floor(rest), RADIX - 1);
    rest -= digit;
    if (digit === 0) break;
    name += String.fromCharCode(96 + digit);
  }
  return name === '' ? '0' : name;
}

/** A name after the last one of a list, which hundreds of records may have. */
function afterName(last: string, sort: string): string {
  return isDescending(sort) ? last.slice(0, -1).trim() || '0' : `${last}z`;
}

function timeAt(start: string, end: string, part: number): string {
  const time = new Date(Date.parse(start) + (Date.parse(end) - Date.parse(start)) * part).toISOString();
  return start.length === 10 ? time.slice(0, 10) : time;
}

/**
 * A value of the sort at which a list begins when the scrollbar is dragged to a part of it. Times are looked for until their
 * number of records before them fits; names are measured by their letters, as no count of the API depends on them.
 *
 * @param part 0 for the first row, 1 for the last
 */
export async function valueAt(
  request: ListRequest,
  part: number,
  total: number,
  signal: AbortSignal,
): Promise<string> {
  const ends = await readEnds(request, signal);
  if (ends === undefined) return '0';
  const [start, end] = ends;
  if (countedBy[fieldOf(request.sort)] === undefined) {
    if (part > 1 - NEAR) return afterName(end, request.sort);
    return nameAt(numberOf(start) + (numberOf(end) - numberOf(start)) * part);
  }
  if (part > 1 - NEAR / 2) return end;
  let low = { at: 0, rank: 0 };
  let high = { at: 1, rank: 1 };
  let at = part;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { row } = await findRank(request, timeAt(start, end, at), total, signal);
    const rank = row / total;
    if (Math.abs(rank - part) <= NEAR) break;
    if (rank < part) low = { at, rank };
    else high = { at, rank };
    const slope = (part - low.rank) / (high.rank - low.rank);
    // Between a line through both and the middle, so that records that were made all at once are found as well.
    at = low.at + (high.at - low.at) * (step % 2 === 0 ? clamp(slope) : 0.5);
  }
  return timeAt(start, end, at);
}
