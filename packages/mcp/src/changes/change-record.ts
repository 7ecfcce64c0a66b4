import { isDeepStrictEqual } from 'node:util';
import { patches } from '@roster/contract/patches';
import { checkValues } from '../schemas/record-schemas.ts';
import { nameOf, type ResourceName, type Row, rejectedInput, ToolError } from '../service.ts';
import type { ToolCall } from '../tool.ts';
import { type Difference, differences, mergePatch } from './differences.ts';

/** A change of one record. */
export interface RecordChange {
  resource: ResourceName;
  id: string;
  /** The version that the record must have. */
  ifVersion: number | undefined;
  /** The operation on the record, such as `update`. */
  operation: 'update' | 'deactivate' | 'reactivate' | 'transfer';
  /** The input of the procedure beside the record and its version. */
  input: Readonly<Record<string, unknown>>;
  /** The new values of the record's fields, as a merge patch. */
  patch: Readonly<Record<string, unknown>>;
}

/** The answer of a change, or of its dry run. */
export interface ChangeResult extends Record<string, unknown> {
  isWritten: boolean;
  /** The extent of the checks of a dry run. */
  checked?: Checked;
  data: { resource: ResourceName; id: string; version: unknown; changes: readonly Difference[] };
}

/** `everything`: the service has tried the change and rolled it back. `fields`: only the values themselves were checked. */
export type Checked = 'everything' | 'fields';

interface BulkPreview {
  samples: { changes: { field: string; from: unknown; to: unknown }[] }[];
  errors: { code: string; detail: string }[];
}

/** Makes a change of one record, or tries it, and answers the fields that it changes. */
export async function changeRecord(
  change: RecordChange,
  dryRun: boolean,
  call: ToolCall,
): Promise<ChangeResult> {
  const { resource, id, ifVersion, operation } = change;
  const { service, signal } = call;
  const before = (await service.query(`${resource}.get`, { id }, { signal })) as Row;
  rejectOtherVersion(before, ifVersion);
  if (operation === 'update') return changeFields(change, { before, dryRun }, call);
  return applyChange(change, { before, dryRun }, call);
}

/** A change with the record as it is. */
interface Reading {
  before: Row;
  dryRun: boolean;
}

/**
 * Changes fields, without those that the service alone sets and that have the value of the record, as the service takes a patch. Throws
 * `validation_failed` with all that have another value: the service would not see an `id`, which the tool has beside the fields.
 */
function changeFields(change: RecordChange, reading: Reading, call: ToolCall): Promise<ChangeResult> {
  const { resource, patch } = change;
  const written = new Set(patches[resource].map(({ name }) => name));
  const isUnchanged = (name: string, value: unknown) =>
    !written.has(name) && name in reading.before && isDeepStrictEqual(reading.before[name], value);
  const kept = Object.fromEntries(Object.entries(patch).filter(([name, value]) => !isUnchanged(name, value)));
  const keys = Object.keys(kept).filter((name) => !written.has(name));
  if (keys.length > 0)
    throw rejectedInput(patch, [{ code: 'unrecognized_keys', keys, path: [], message: '', input: patch }]);
  return applyChange({ ...change, input: kept, patch: kept }, reading, call);
}

async function applyChange(
  change: RecordChange,
  { before, dryRun }: Reading,
  call: ToolCall,
): Promise<ChangeResult> {
  const { resource, id, operation, input } = change;
  const { service, signal } = call;
  const described = { resource, id, name: nameOf(resource, before) };
  if (dryRun) {
    const { checked, changes } = await tryChange(change, before, call);
    return { isWritten: false, checked, data: { ...described, version: before.version, changes } };
  }
  // With the version that was read, so that what is answered is what this change made different.
  const sent = { ...input, id, ifVersion: before.version };
  const after = (await service.mutate(`${resource}.${operation}`, sent, { signal })) as Row;
  return {
    isWritten: true,
    data: { ...described, version: after.version, changes: differences(before, after) },
  };
}

function rejectOtherVersion({ version }: Row, ifVersion: number | undefined): void {
  if (ifVersion === undefined || version === ifVersion) return;
  throw new ToolError({
    code: 'version_conflict',
    status: 412,
    detail: `The record has version ${version}, not ${ifVersion}.`,
    currentVersion: Number(version),
  });
}

async function tryChange(change: RecordChange, before: Row, call: ToolCall) {
  if (change.operation === 'update' && Object.keys(change.patch).length === 0)
    return { checked: 'everything' as const, changes: [] };
  return call.rights.mayManage(change.resource)
    ? { checked: 'everything' as const, changes: await tryOnService(change, call) }
    : { checked: 'fields' as const, changes: tryOnCopy(change, before) };
}

/** The service tries the change on this one record, as one of many, and rolls it back. */
async function tryOnService(
  { resource, id, operation, input }: RecordChange,
  { service, signal }: ToolCall,
): Promise<Difference[]> {
  const { reason, ...fields } = input;
  const bulk = {
    filter: { ids: [id] },
    change: { type: operation, ...(operation === 'update' ? { patch: fields } : fields) },
    dryRun: true,
    ...(reason !== undefined && { reason }),
  };
  const preview = (await service.mutate(`${resource}.bulk`, bulk, { signal })) as BulkPreview;
  const { samples, errors } = preview;
  const [error] = errors;
  if (error !== undefined) throw new ToolError({ code: error.code, detail: error.detail });
  const changes = samples[0]?.changes ?? [];
  return changes.map(({ field, from, to }) => ({ field, before: from ?? null, after: to ?? null }));
}

/** For callers that may not change many records: applies the change to what was read, and compares. */
function tryOnCopy({ resource, operation, patch }: RecordChange, before: Row): Difference[] {
  const problem = operation === 'update' ? checkValues(resource, 'update', patch) : undefined;
  if (problem !== undefined) throw new ToolError(problem);
  return differences(before, mergePatch(before, patch) as Row);
}

/** The answer of a dry run of an import, with a result for each record. */
export interface ImportPreview {
  results: {
    index: number;
    status: string;
    id: string | null;
    matchedBy?: string | null;
    error?: { code: string; detail: string; errors?: { pointer?: string; code: string; detail: string }[] };
  }[];
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Tries to create a record: by a dry run of an import of it or, for callers that may not import, by its schema. */
export async function tryCreate(
  resource: ResourceName,
  values: Row,
  { service, rights, signal }: ToolCall,
): Promise<Checked> {
  const failure = rights.mayManage(resource)
    ? await service
        .mutate(`imports.${resource}`, { records: [values], dryRun: true, isAtomic: false }, { signal })
        .then((preview) => (preview as ImportPreview).results[0]?.error)
    : checkValues(resource, 'create', values);
  if (failure === undefined) return rights.mayManage(resource) ? 'everything' : 'fields';
  const errors = failure.errors?.map((error) => ({
    ...error,
    ...(error.pointer !== undefined && { pointer: error.pointer.replace('#/records/0', '#') }),
  }));
  throw new ToolError({ ...failure, ...(errors && { errors }) });
}
