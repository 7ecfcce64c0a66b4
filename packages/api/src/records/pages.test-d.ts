import { offices } from '../offices/queries.ts';
import { readPage } from './pages.ts';

declare const asking: Parameters<typeof readPage>[0];
declare const query: { limit: number; sort: string; mainOfficeId?: string[] | undefined };
declare const unknownFilter: typeof query & { colour?: string[] | undefined };

/** A query of the filters there are. */
export const known = () => readPage(asking, { collection: offices, input: query });

/** A filter without a condition would be an error of the server at the first request that has it: it does not compile. */
// @ts-expect-error there is no filter by colour
export const unknown = () => readPage(asking, { collection: offices, input: unknownFilter });
