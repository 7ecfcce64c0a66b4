/** All an iteration gives, or its first few; then it is left. */
export async function taken<Value>(
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
