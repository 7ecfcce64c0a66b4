/** The value below which a share of the values is, interpolated between two of them; NaN of no values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** NaN of no values. */
export const medianOf = (values: readonly number[]): number => quantileOf(values, 0.5);

/** A median, the quartiles, and the least and the most there was. */
export interface Spread {
  median: number;
  low: number;
  high: number;
  min: number;
  max: number;
}

/** Undefined of no values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const at = (share: number) => quantileOf(values, share);
  return { min: at(0), low: at(0.25), median: at(0.5), high: at(0.75), max: at(1) };
}
