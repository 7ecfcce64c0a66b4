const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The index after the quote that ends a string. */
function endOfString(json: string, start: number): number {
  let index = start;
  for (; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) break;
    if (code === BACKSLASH) index += 1;
  }
  return index + 1;
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
 * Whether an object in JSON has two members of one name, of which `JSON.parse` keeps the last (RFC 8259, section 4).
 *
 * @param value what `JSON.parse` has made of the JSON
 */
export function hasRepeatedMembers(json: string, value: unknown): boolean {
  return countMembers(json) !== countNames(value);
}

/** A member of an object in JSON. */
export interface JsonMember {
  /** The names and the numbers of items that lead to it. */
  path: string[];
  /** Whether its object has a member of this name before it. */
  isRepeated: boolean;
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
        yield { path: around.map(({ last }) => String(last)), isRepeated: inner.names.has(name) };
        inner.names.add(name);
        inner.isBeforeName = false;
      }
      index = end - 1;
    }
  }
}
