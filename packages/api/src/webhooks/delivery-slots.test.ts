import { expect, it } from 'vitest';
import { ReceiverWindows, WINDOW_MAX, WINDOW_MIN } from './delivery-slots.ts';

const good = { isQuickSuccess: true };
const bad = { isQuickSuccess: false };

function recorded(windows: ReceiverWindows, id: string, count: number): number {
  for (let index = 0; index < count; index += 1) windows.record(id, good);
  return windows.sizes()[id] ?? WINDOW_MIN;
}

it('the window of a receiver grows by one when as many messages in a row were taken quickly, up to its maximum', () => {
  const windows = new ReceiverWindows();
  expect(recorded(windows, 'a', WINDOW_MIN - 1)).toBe(WINDOW_MIN);
  expect(recorded(windows, 'a', 2)).toBe(WINDOW_MIN + 1);
  expect(recorded(windows, 'a', WINDOW_MIN)).toBe(WINDOW_MIN + 1);
  expect(recorded(windows, 'a', 2)).toBe(WINDOW_MIN + 2);
  expect(recorded(windows, 'a', 10_000)).toBe(WINDOW_MAX);
});

it('one message that failed or was slow sets the window of that receiver back, and of no other', () => {
  const windows = new ReceiverWindows();
  for (const id of ['a', 'b']) recorded(windows, id, 100);
  windows.record('a', bad);
  expect(Object.keys(windows.sizes())).toEqual(['b']);
  expect(recorded(windows, 'a', 1)).toBe(WINDOW_MIN);
});

it('webhooks that were deleted do not gather', () => {
  const windows = new ReceiverWindows();
  for (let index = 0; index < 5_000; index += 1) windows.record(`webhook ${index}`, good);
  expect(Object.keys(windows.sizes()).length).toBeLessThanOrEqual(1_000);
});
