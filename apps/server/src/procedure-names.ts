import { operations, streams } from '@roster/api';

const names = new Set([...operations, ...streams].map(({ procedure }) => procedure));
const endless = new Set(streams.map(({ procedure }) => procedure));

/** Whether there is a procedure of this name; what is none may be anything a caller thought of. */
export function isProcedure(name: string): boolean {
  return names.has(name);
}

/** Whether its answer has no end. */
export function isStream(name: string): boolean {
  return endless.has(name);
}
