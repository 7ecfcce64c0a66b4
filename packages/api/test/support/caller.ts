import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { RawJson } from '../../src/resources/json/raw-json.ts';
import { appRouter } from '../../src/root.ts';
import type { Context } from '../../src/trpc/context.ts';
import { contextOf } from './context.ts';

type RouterCaller = ReturnType<typeof appRouter.createCaller>;

/** A procedure whose result is decoded. */
type Decoded<Procedure> = Procedure extends (...input: infer Input) => Promise<infer Result>
  ? (...input: Input) => Promise<Exclude<Result, RawJson>>
  : never;

/** Calls the procedures in this process, and gets objects. */
export type Caller = {
  [Resource in keyof RouterCaller]: {
    [Name in keyof RouterCaller[Resource]]: Decoded<RouterCaller[Resource][Name]>;
  };
};

/** A caller on a database who may do everything; `overrides` are parts of the context that are not the usual ones. */
export function callerIn(
  db: Kysely<Database>,
  overrides: Partial<Omit<Context, 'acceptsRawJson'>> = {},
): Caller {
  // No result is raw JSON where the context does not accept it.
  return appRouter.createCaller({ ...contextOf(db), ...overrides }) as Caller;
}
