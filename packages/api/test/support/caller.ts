import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { RawJson } from '../../src/engine/json/raw-json.ts';
import { appRouter } from '../../src/router.ts';
import { type ContextOverrides, contextOf } from './context.ts';

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

/** A caller with all scopes on a database; `overrides` replace parts of the context. */
export function callerIn(db: Kysely<Database>, overrides: ContextOverrides = {}): Caller {
  // No result is raw JSON where the context does not accept it.
  return appRouter.createCaller(contextOf(db, overrides)) as Caller;
}
