const QUOTE = 0x22;
const COLON = 0x3a;

/** The index after the quote that ends a string: the first one behind an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (json[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return json.length;
}

/** The number of members that objects have in valid JSON: each has one colon that is in no string. */
function countMembers(json: string): number {
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index + 1) - 1;
    else if (code === COLON) count += 1;
  }
  return count;
}

/** The number of members of a value and of what is in it; without recursion, because JSON may be very deep. */
function countNames(root: unknown): number {
  let count = 0;
  const stack = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) stack.push(member);
  }
  return count;
}

/**
 * Whether an object in JSON has two members of one name. `JSON.parse` keeps the last (RFC 8259, section 4).
 *
 * @param value what `JSON.parse` has made of the JSON
 */
export function hasRepeatedMembers(json: string, value: unknown): boolean {
  return countMembers(json) !== countNames(value);
}

/** A member of an object in JSON. */
export interface JsonMember {
  name: string;
  /** Whether its object has a member of this name before it. */
  isRepeated: boolean;
  /**
   * Makes the names and the numbers of items that lead to it, before the next member is read. A function, because JSON may be so deep
   * that the paths of all members are a hundred thousand times as long as it.
   */
  path: () => string[];
}

/** An object or an array around a place in JSON. */
interface Around {
  /** The names that an object has had; undefined of an array. */
  names?: Set<string>;
  /** The last of them, or the number of an item. */
  last: string | number;
  /** Whether the next string is a name. */
  isBeforeName: boolean;
}

/** The members of all objects in valid JSON, in their order; also those that `JSON.parse` drops. */
export function* membersIn(json: string): Generator<JsonMember> {
  const around: Around[] = [];
  const path = () => around.map(({ last }) => String(last));
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    const inner = around.at(-1);
    if (character === '{') around.push({ names: new Set(), last: '', isBeforeName: true });
    else if (character === '[') around.push({ last: 0, isBeforeName: false });
    else if (character === '}' || character === ']') around.pop();
    else if (character === ',' && inner !== undefined) {
      if (typeof inner.last === 'number') inner.last += 1;
      inner.isBeforeName = inner.names !== undefined;
    } else if (character === '"') {
      const end = endOfString(json, index + 1);
      if (inner?.names !== undefined && inner.isBeforeName) {
        const name: string = JSON.parse(json.slice(index, end));
        inner.last = name;
        yield { name, isRepeated: inner.names.has(name), path };
        inner.names.add(name);
        inner.isBeforeName = false;
      }
      index = end - 1;
    }
  }
}

/** `"__proto__":`, however its characters are escaped. */
const reservedName =
  /"(?:_|\\u005[Ff]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[Ff])(?:t|\\u0074)(?:o|\\u006[Ff])(?:_|\\u005[Ff]){2}"\s*:/;

/** The members that `findMembers` finds at most, and the names of their paths together, after which it looks no further. */
const MEMBERS_MAX = 100;
const NAMES_MAX = 1_000;

/** Finds the first members of a kind in valid JSON, with the names and the numbers of items that lead to each. */
export function findMembers(
  json: string,
  isWanted: (member: JsonMember) => boolean,
): { name: string; path: string[] }[] {
  const found: { name: string; path: string[] }[] = [];
  let names = 0;
  for (const member of membersIn(json)) {
    if (!isWanted(member)) continue;
    const path = member.path();
    found.push({ name: member.name, path });
    names += path.length;
    if (found.length === MEMBERS_MAX || names >= NAMES_MAX) break;
  }
  return found;
}

/** A member that is lost when its object is read, and why. */
export interface LostMember {
  name: string;
  path: string[];
  code: 'repeated' | 'not_allowed';
  detail: string;
}

/**
 * Finds the members of objects in valid JSON that are lost silently when they are read: of two of one name `JSON.parse` keeps the last
 * (RFC 8259, section 4), and `__proto__` is no ordinary property in JavaScript.
 *
 * @param value what `JSON.parse` has made of the JSON
 */
export function findLostMembers(json: string, value: unknown): LostMember[] {
  if (!reservedName.test(json) && !hasRepeatedMembers(json, value)) return [];
  const lost = findMembers(json, ({ name, isRepeated }) => isRepeated || name === '__proto__');
  return lost.map((member) =>
    member.name === '__proto__'
      ? { ...member, code: 'not_allowed', detail: 'is a name that no field and no metadata may have' }
      : { ...member, code: 'repeated', detail: 'is there twice in its object' },
  );
}
