/** The value below which a share of the values is, interpolated between two of them; NaN of no values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** NaN of no values. */
export const medianOf = (values: readonly number[]): number => quantileOf(values, 0.5);
