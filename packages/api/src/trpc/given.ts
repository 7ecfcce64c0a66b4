import { t } from './init.ts';

/** `collaborators` are read at each call, because a router that is only described has none. */
export function given<Own extends object>(collaborators: () => Own) {
  return t.middleware(({ next }) => next({ ctx: collaborators() }));
}

export type Given<Own extends object> = ReturnType<typeof given<Own>>;
