import { expectTypeOf } from 'vitest';
import { offices } from '../../directory/offices/definition.ts';
import type { Office } from '../../directory/offices/schemas.ts';
import { listRecords } from '../../records/read.ts';
import type { RawJson } from '../json/raw-json.ts';
import { type Page, readPage } from './list-records.ts';

declare const db: Parameters<typeof readPage>[0];
declare const ctx: Parameters<typeof listRecords>[0];
declare const query: { limit: number; sort: string; mainOfficeId?: string[] | undefined };
declare const unknownFilter: typeof query & { colour?: string[] | undefined };

export const known = () => readPage(db, { resource: offices, input: query, limit: undefined });
expectTypeOf(known).returns.resolves.toEqualTypeOf<RawJson<Page<Office>>>();

/** Otherwise a filter without a condition would fail at the first request that uses it. */
// @ts-expect-error there is no filter by colour
export const unknown = () => readPage(db, { resource: offices, input: unknownFilter, limit: undefined });

declare const ofAgents: typeof query & { anyOfficeId?: string[] | undefined };
// @ts-expect-error offices are in no office
export const ofAnother = () => listRecords(ctx, offices, ofAgents);
