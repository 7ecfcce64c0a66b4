import type { Problem } from '@roster/api';

/** What an error has in common over REST and RPC: all but the id and the path of its request. */
export function essence({ instance: _, requestId: __, ...rest }: Problem) {
  return rest;
}
