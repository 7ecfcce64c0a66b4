/** The part of the suite that checks its own queries before it sends them. Its endorsements send theirs as they are. */

export class ExpandParseError extends Error {}

export function parseFilter(): never {
  throw new Error('the certification does not parse filters');
}

export function parseExpand(): never {
  throw new ExpandParseError('the certification does not parse expansions');
}
