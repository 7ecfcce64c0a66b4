import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Fields as RecordFields } from '../engine/fields/field.ts';
import { RecordId } from '../engine/fields/schemas.ts';
import { writtenFields } from '../engine/fields/shapes.ts';
import { checkVersion, preconditionOf } from '../engine/write/precondition.ts';
import { pointerTo } from '../errors/describe-issue.ts';
import { readOnlyFields } from '../errors/issue-text.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import type { CallContext } from '../trpc/context.ts';
import { findRecords, type Located } from './try-change.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function namesBeside(body: Fields, written: object): string[] {
  return Object.keys(body).filter((name) => !Object.hasOwn(written, name));
}

function withoutUnchanged(body: Fields, names: readonly string[], records: readonly object[]): Fields {
  const isUnchanged = (name: string) =>
    names.includes(name) &&
    records.every(
      (record) => Object.hasOwn(record, name) && isDeepStrictEqual((record as Fields)[name], body[name]),
    );
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isUnchanged(name)));
}

interface Call<Result> {
  ctx: CallContext;
  getRawInput: () => Promise<unknown>;
  next: (options: {
    ctx?: Pick<CallContext, 'recordRead'>;
    getRawInput: () => Promise<unknown>;
  }) => Promise<Result>;
}

/**
 * Accepts unchanged read-only fields in a patch, so that you can send back what you read. The schema rejects
 * changed ones. Throws `version_conflict`.
 *
 * @param read may reject with `not_found`
 */
export async function ignoreUnchanged<Result>(
  { ctx, getRawInput, next }: Call<Result>,
  patch: z.ZodObject,
  read: (ctx: CallContext, id: string) => Promise<object>,
): Promise<Result> {
  const input = await getRawInput();
  const { hasForeignId } = ctx.request;
  const names = isObject(input) ? namesBeside(input, patch.shape) : [];
  const id = isObject(input) ? RecordId.safeParse(input.id) : undefined;
  const isSure = names.length === 0 && !hasForeignId;
  if (!isObject(input) || isSure || !id?.success) return next({ getRawInput });
  const record = await read(ctx, id.data).catch((error: unknown) => {
    if (error instanceof RosterError && error.status === 404) return undefined;
    throw error;
  });
  if (record === undefined) return next({ getRawInput });
  const recordRead = checkNamedVersion(ctx, input, record);
  const given = withoutUnchanged(input, names, [record]);
  if (hasForeignId) throw foreignIdError(namesBeside(given, patch.shape));
  return next({ ctx: { recordRead }, getRawInput: async () => given });
}

/** Names the ID together with the other read-only fields that differ from the record. */
function foreignIdError(names: readonly string[]): RosterError {
  const others = names.flatMap((name) => {
    const detail = readOnlyFields.get(name);
    return detail === undefined ? [] : [{ pointer: pointerTo([name]), code: 'read_only', detail }];
  });
  const id = { pointer: '#/id', code: 'read_only', detail: 'is given by the path and never changes' };
  return invalidInput(id, ...others);
}

/**
 * Reports a changed record as `version_conflict`, instead of its read-only fields. Returns the record for the
 * change, which need not read it again.
 */
function checkNamedVersion(
  ctx: CallContext,
  { ifVersion }: Fields,
  record: object,
): CallContext['recordRead'] {
  if (!('version' in record) || typeof record.version !== 'number') return undefined;
  const read = { ...record, version: record.version };
  const named = Version.safeParse(ifVersion);
  if (named.success) checkVersion(read, preconditionOf(ctx, { ifVersion: named.data }));
  return read;
}

const Version = z.int().optional();

const NamedRecords = z.looseObject({
  filter: z.looseObject({ ids: z.array(RecordId).min(1).max(200) }),
  change: z.looseObject({ type: z.literal('update'), patch: z.record(z.string(), z.unknown()) }),
});

/** For updates by ID: removes read-only fields that are unchanged in all records. */
export async function ignoreUnchangedInAll<Result>(
  { ctx, getRawInput, next }: Call<Result>,
  { fields, ...located }: Located & { fields: RecordFields },
): Promise<Result> {
  const input = await getRawInput();
  const { success, data } = NamedRecords.safeParse(input);
  if (!success || !isObject(input)) return next({ getRawInput });
  const { filter, change } = data;
  const names = namesBeside(change.patch, Object.fromEntries(writtenFields(fields)));
  if (names.length === 0) return next({ getRawInput });
  const records = await findRecords(ctx.db, located, { ids: filter.ids, limit: ctx.limit });
  if (records.size === 0) return next({ getRawInput });
  const patch = withoutUnchanged(change.patch, names, [...records.values()]);
  return next({ getRawInput: async () => ({ ...input, change: { ...change, patch } }) });
}
