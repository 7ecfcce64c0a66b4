import { t } from './init.ts';

/**
 * A middleware that adds to the context of a procedure what its feature got where the service starts, and no other feature sees.
 *
 * @param collaborators Read at each call: a router that is only described has none
 */
export function given<Own extends object>(collaborators: () => Own) {
  return t.middleware(({ next }) => next({ ctx: collaborators() }));
}

export type Given<Own extends object> = ReturnType<typeof given<Own>>;
