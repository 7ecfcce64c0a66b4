import { describe, expect, it } from 'vitest';
import { monthsUntil, ticksUpTo } from './series.ts';

describe('the months of a chart', () => {
  const counted = [
    { month: '2026-02', joined: 5, left: 1 },
    { month: '2025-12', joined: 2, left: 3 },
  ];

  it('have those without any change, and the total at the end of each', () => {
    expect(monthsUntil(counted, { total: 20, day: '2026-02-11', count: 4 })).toEqual([
      { month: '2025-11', joined: 0, left: 0, total: 17 },
      { month: '2025-12', joined: 2, left: 3, total: 16 },
      { month: '2026-01', joined: 0, left: 0, total: 16 },
      { month: '2026-02', joined: 5, left: 1, total: 20 },
    ]);
  });

  it('have lines at round numbers behind them, the last one not below the greatest value', () => {
    expect(ticksUpTo(37)).toEqual([0, 10, 20, 30, 40]);
    expect(ticksUpTo(3)).toEqual([0, 1, 2, 3]);
    expect(ticksUpTo(0)).toEqual([0, 1]);
    expect(ticksUpTo(1_050).at(-1)).toBeGreaterThanOrEqual(1_050);
  });
});
