import { expect } from 'vitest';
import { RosterError } from '../../src/index.ts';

/** The first `count` values of an iterable, or all; then the iteration is ended. */
export async function collect<Value>(
  values: AsyncIterable<Value>,
  count = Number.POSITIVE_INFINITY,
): Promise<Value[]> {
  const all: Value[] = [];
  if (count === 0) return all;
  for await (const value of values) {
    all.push(value);
    if (all.length === count) break;
  }
  return all;
}

/** The RosterError of a call that fails. */
export async function errorOf(call: Promise<unknown>): Promise<RosterError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RosterError);
  return error as RosterError;
}
