import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { lockRow } from '../access/access-rows.ts';
import { readActorsOf } from '../access/actors.ts';
import type { Caller } from '../access/caller.ts';
import { checkCreationLimit } from '../access/creation-limits.ts';
import { checkScopes, chooseNames } from '../access/scopes.ts';
import { forEachResource, type ResourceName } from '../directory/registry.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import { listPage, type Page } from '../engine/list/list-records.ts';
import { checkNot } from '../engine/list/parameters.ts';
import { newId } from '../engine/new-id.ts';
import { RELEVANCE } from '../engine/search/relevance.ts';
import { checkVersion, preconditionOf } from '../engine/write/precondition.ts';
import { inTransaction } from '../engine/write/transaction.ts';
import { describeIssues, summarize } from '../errors/describe-issue.ts';
import { RosterError } from '../errors/roster-error.ts';
import { isChanged } from '../log/admin-events.ts';
import type { OneChange } from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { changeView, insertView, type StoredView, views } from './repository.ts';
import type { NewView, View, ViewPatch, ViewQuery } from './schemas.ts';

async function withOwners({ db, caller }: Pick<CallContext, 'db' | 'caller'>, stored: StoredView[]) {
  const ownerOf = await readActorsOf(
    db,
    stored.map(({ createdBy }) => createdBy),
    caller,
  );
  return stored.map((view): View => ({ ...view, createdBy: ownerOf(view.createdBy) }));
}

/** Throws `insufficient_scope` for a resource the caller may not read, `invalid_cursor`, `cursor_mismatch`. */
export async function listViews(
  ctx: CallContext,
  { resource: named, ...page }: z.output<typeof ViewQuery>,
): Promise<Page<View>> {
  const resource = chooseNames(ctx.caller, named, 'read');
  const input = { ...page, resource, visibleTo: ctx.caller.id };
  const read = await listPage(ctx.db, { resource: views, input, limit: undefined });
  return { ...read, items: await withOwners(ctx, read.items) };
}

/** Throws `not_found`, also for another owner's private view. */
async function findVisible(caller: Caller, db: Kysely<Database>, id: string): Promise<StoredView> {
  const view = await requireRecord(db, views, { id, limit: undefined });
  const isVisible =
    caller.scopes.includes(`${view.resource}:read`) && (view.isShared || view.createdBy === caller.id);
  if (!isVisible) throw noRecordError(views, id);
  return view;
}

async function shown(ctx: Pick<CallContext, 'db' | 'caller'>, stored: StoredView): Promise<View> {
  const [view] = await withOwners(ctx, [stored]);
  return view as View;
}

/** Throws `not_found`. */
export async function getView(ctx: CallContext, id: string): Promise<View> {
  return shown(ctx, await findVisible(ctx.caller, ctx.db, id));
}

/** Throws `insufficient_scope`, `validation_failed`, `limit_reached`. */
export async function createView(ctx: CallContext, { resource, query, ...values }: NewView): Promise<View> {
  const { caller } = ctx;
  checkScopes(caller, [`${resource}:read`]);
  checkQuery(resource, query);
  const now = ctx.now();
  const id = newId(now);
  return inTransaction(ctx.db, async (trx) => {
    await checkCreationLimit(trx, 'views', ctx);
    await insertView(trx, { id, resource, query, ...values, ownerId: caller.id, now });
    return shown({ db: trx, caller }, await findVisible(caller, trx, id));
  });
}

/** Shared views of others, which everyone sees, take unlimited `people:manage`. */
function mayChangeOthers({ grants }: Caller): boolean {
  return grants.some(({ scopes, limit }) => limit === undefined && scopes.includes('people:manage'));
}

/** Throws `not_found`, `insufficient_scope`, `version_conflict`, `version_required`. */
async function lockForChange(ctx: CallContext, trx: Kysely<Database>, { id, ...one }: OneChange) {
  const { caller } = ctx;
  const precondition = preconditionOf(ctx, one);
  if (!(await lockRow(trx, 'saved_view', id))) throw noRecordError(views, id);
  const view = await findVisible(caller, trx, id);
  const isOwn = view.createdBy === caller.id;
  if (!isOwn && !mayChangeOthers(caller)) {
    const detail = 'To change a shared view, you must own it or have the unrestricted scope people:manage.';
    throw new RosterError('insufficient_scope', detail, { scope: 'people:manage' });
  }
  checkVersion(view, precondition);
  return { view, isOwn };
}

/** Throws `not_found`, `insufficient_scope`, `version_conflict`, `validation_failed`. */
export async function updateView(
  ctx: CallContext,
  { id, ifVersion, query, ...patch }: ViewPatch,
): Promise<View> {
  const { caller } = ctx;
  return inTransaction(ctx.db, async (trx) => {
    const { view, isOwn } = await lockForChange(ctx, trx, { id, ifVersion });
    const after = {
      name: patch.name ?? view.name,
      isShared: patch.isShared ?? view.isShared,
      query: query === undefined ? view.query : mergedQuery(view.query, query),
      columns: patch.columns ?? view.columns,
    };
    if (!isOwn && after.isShared !== view.isShared)
      throw new RosterError('insufficient_scope', 'Only the owner can make a shared view private.');
    if (query !== undefined) checkQuery(view.resource, after.query);
    if (!isChanged(view, { ...view, ...after })) return shown({ db: trx, caller }, view);
    await changeView(trx, { id, now: ctx.now(), ...after });
    return shown({ db: trx, caller }, await findVisible(caller, trx, id));
  });
}

/** Throws `not_found`, `insufficient_scope`, `version_conflict`. */
export async function deleteView(ctx: CallContext, one: OneChange): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockForChange(ctx, trx, one);
    await trx.deleteFrom('saved_view').where('id', '=', one.id).execute();
  });
}

/** Paging, and the contents of a response: `expand` can need a scope that not every reader has. */
const notOfView: ReadonlySet<string> = new Set([
  'limit',
  'cursor',
  'direction',
  'startAt',
  'includeTotal',
  'highlight',
  'expand',
]);

const parameters = forEachResource<Record<ResourceName, z.ZodObject>>(({ schemas }) => {
  const ofView = Object.entries(schemas.query.shape).filter(([name]) => !notOfView.has(name));
  return z.strictObject(Object.fromEntries(ofView)).check(checkNot);
});

type Parameters = Record<string, string | string[]>;

function issuesOf(resource: ResourceName, query: Parameters): z.core.$ZodIssue[] {
  const { error } = parameters[resource].safeParse(query);
  if (error !== undefined) return error.issues;
  if (query.sort !== RELEVANCE || query.q !== undefined) return [];
  const message = `${RELEVANCE} requires q`;
  return [{ code: 'custom', params: { code: 'not_allowed' }, message, path: ['sort'], input: query.sort }];
}

/** Throws `validation_failed` for a query that the list would reject. */
function checkQuery(resource: ResourceName, query: Parameters): void {
  const issues = issuesOf(resource, query);
  if (issues.length === 0) return;
  const rejected = { input: query, isParameter: () => false, within: ['query'] };
  const { errors, omitted } = describeIssues(issues, rejected);
  const options = { errors, errorsOmitted: omitted };
  throw new RosterError('validation_failed', summarize(errors, omitted), options);
}

/** RFC 7396: null removes a parameter; a list is replaced as a whole. */
function mergedQuery(query: Parameters, patch: Record<string, string | string[] | null>): Parameters {
  const merged = Object.entries({ ...query, ...patch });
  return Object.fromEntries(merged.filter((pair): pair is [string, string | string[]] => pair[1] !== null));
}
