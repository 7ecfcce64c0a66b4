import { routes } from './contract.ts';
import { router } from './trpc/init.ts';

/** The router that is served. Its type knows the context, so only the door for hosting shows it. */
export const appRouter = router(routes);
