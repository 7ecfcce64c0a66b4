export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of the members of an object whose type has no others. */
export function keysOf<Key extends string>(members: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(members).filter((key): key is Key => key in members);
}
