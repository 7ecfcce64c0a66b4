import { t } from './init.ts';

/**
 * Adds a feature's own collaborators to the context, hidden from other features.
 *
 * @param collaborators read at each call, because a router that is only described has none
 */
export function given<Own extends object>(collaborators: () => Own) {
  return t.middleware(({ next }) => next({ ctx: collaborators() }));
}

export type Given<Own extends object> = ReturnType<typeof given<Own>>;
