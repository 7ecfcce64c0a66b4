import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';

/** What the code under test has logged as a warning or an error. */
const logged: string[] = [];
let spies: MockInstance[] = [];

beforeEach(() => {
  logged.length = 0;
  const note = (...parts: unknown[]) => void logged.push(parts.map(String).join(' '));
  spies = (['warn', 'error'] as const).map((level) => vi.spyOn(console, level).mockImplementation(note));
});

afterEach(() => {
  for (const spy of spies) spy.mockRestore();
  expect(logged, 'what code under test must not log').toEqual([]);
});
