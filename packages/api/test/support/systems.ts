let count = 0;

/** A system that no other test imports from, and the sources of its records by their keys. */
export function newSystem() {
  count += 1;
  const name = `System ${count}`;
  return { name, of: (key: string | number) => ({ name, key: String(key) }) };
}
