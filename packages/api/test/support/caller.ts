import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { RawJson } from '../../src/engine/json/raw-json.ts';
import { createAppRouter } from '../../src/router.ts';
import { type ContextOverrides, collaboratorsOf, contextOf, type ServiceOverrides } from './context.ts';

const standard = collaboratorsOf();
/** The router of a service as most tests have it. */
export const standardRouter = createAppRouter(() => standard);

type RouterCaller = ReturnType<typeof standardRouter.createCaller>;

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

/** A caller with all scopes on a database; the overrides replace parts of the context, and of the service. */
export function callerIn(
  db: Kysely<Database>,
  { settings, webhooksMax, ...context }: ContextOverrides & ServiceOverrides = {},
): Caller {
  const isStandard = settings === undefined && webhooksMax === undefined;
  const own = isStandard
    ? standard
    : collaboratorsOf({ ...(settings && { settings }), ...(webhooksMax && { webhooksMax }) });
  const router = isStandard ? standardRouter : createAppRouter(() => own);
  // No result is raw JSON where the context does not accept it.
  return router.createCaller(contextOf(db, context)) as Caller;
}
