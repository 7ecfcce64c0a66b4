/**
 * The second door, for the process that hosts the service. What passes here knows the database; the first
 * door (`index.ts`) does not, so that an application which imports the contract never meets Kysely.
 */
export type { Context } from './context.ts';
export { purgeTombstones } from './records/tombstones.ts';
export { refusalOf } from './refusals.ts';
export { appRouter } from './router.ts';
