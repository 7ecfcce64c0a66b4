export interface CountedMonth {
  /** `2026-01`, in UTC. */
  month: string;
  joined: number;
  left: number;
}

export interface MonthPoint extends CountedMonth {
  total: number;
}

function before(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/**
 * The last months up to a day, the earliest first, also those in which nothing happened, each with the total at its end: the
 * current total without what joined later, and with what left later.
 */
export function monthsUntil(
  counted: readonly CountedMonth[],
  { total, day, count }: { total: number; day: string; count: number },
): MonthPoint[] {
  const byMonth = new Map(counted.map((one) => [one.month, one]));
  const points: MonthPoint[] = [];
  let month = day.slice(0, 7);
  for (let sum = total; points.length < count; month = before(month)) {
    const { joined = 0, left = 0 } = byMonth.get(month) ?? {};
    points.unshift({ month, joined, left, total: sum });
    sum += left - joined;
  }
  return points;
}

export function ticksUpTo(value: number, count = 4): number[] {
  const raw = Math.max(value, 1) / count;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, ([1, 2, 5, 10].find((one) => one * magnitude >= raw) ?? 10) * magnitude);
  return Array.from({ length: Math.ceil(Math.max(value, 1) / step) + 1 }, (_, index) => index * step);
}
