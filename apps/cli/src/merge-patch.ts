import { isDeepStrictEqual } from 'node:util';
import { isObject } from './fields.ts';
import type { Row } from './nouns.ts';

function memberOf(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/**
 * The least JSON Merge Patch (RFC 7396) that makes an object into another: objects part by part, arrays whole. A member
 * that is null is one that is not there, as the RFC has it. Empty where nothing differs.
 */
export function mergePatch(from: Row, to: Row): Row {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const members: [string, unknown][] = [];
  for (const name of names) {
    const was = memberOf(from, name);
    const becomes = memberOf(to, name);
    if (!isObject(becomes)) {
      if (!isDeepStrictEqual(was, becomes)) members.push([name, becomes]);
      continue;
    }
    const inner = mergePatch(isObject(was) ? was : {}, becomes);
    if (!isObject(was) || Object.keys(inner).length > 0) members.push([name, inner]);
  }
  return Object.fromEntries(members);
}
