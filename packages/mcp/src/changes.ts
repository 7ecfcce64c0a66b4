import { isDeepStrictEqual } from 'node:util';
import { patchFields } from './schemas.ts';
import {
  invalidInput,
  nameOf,
  type ResourceName,
  type Rights,
  type Row,
  requireValid,
  type Service,
  ToolError,
} from './service.ts';

export interface ToolCall {
  service: Service;
  rights: Rights;
  /** Fires when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Reports progress, if the client asked for it. */
  progress(done: number, total: number, message: string): Promise<void>;
}

export interface RecordChange {
  resource: ResourceName;
  id: string;
  ifVersion?: number | undefined;
  operation: 'update' | 'deactivate' | 'reactivate' | 'transfer';
  /** Besides the record and its version. */
  input: Row;
  patch: Row;
  dryRun: boolean;
}

const derived = new Set(['version', 'updatedAt', 'statusChangedAt']);

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null members are the same as absent ones. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value).filter(([, member]) => (member ?? null) !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, bare(member)]));
}

export function differences(before: Row, after: Row) {
  return Object.keys(after)
    .filter((field) => !derived.has(field) && !isDeepStrictEqual(bare(before[field]), bare(after[field])))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

/** JSON Merge Patch (RFC 7396), but cleared members become null. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isObject(target) ? target : {}) };
  for (const [name, value] of Object.entries(patch)) merged[name] = mergePatch(merged[name], value);
  return merged;
}

/** Or tries the change. Returns the changed fields. */
export async function changeRecord(change: RecordChange, call: ToolCall): Promise<Row> {
  const { resource, id, ifVersion, operation, dryRun } = change;
  const { service, signal } = call;
  const before = await service.query<Row>(`${resource}.get`, { id }, { signal });
  const { version } = before;
  if (ifVersion !== undefined && version !== ifVersion) {
    const detail = `The record has version ${version}, not ${ifVersion}.`;
    throw new ToolError({ code: 'version_conflict', status: 412, detail, currentVersion: Number(version) });
  }
  const input = operation === 'update' ? changedFields(change, before) : change.input;
  const described = { resource, id, name: nameOf(resource, before) };
  if (dryRun) {
    const tried = await tryChange(
      { ...change, input, patch: operation === 'update' ? input : change.patch },
      before,
      call,
    );
    return {
      isWritten: false,
      checked: tried.checked,
      data: { ...described, version, changes: tried.changes },
    };
  }
  // With the version read, so that the result is only this change.
  const sent = { ...input, id, ifVersion: version };
  const after = await service.mutate<Row>(`${resource}.${operation}`, sent, { signal });
  return {
    isWritten: true,
    data: { ...described, version: after.version, changes: differences(before, after) },
  };
}

/** Throws `validation_failed`: the service would not see an `id`, which the tool has separately. */
function changedFields({ resource, patch }: RecordChange, before: Row): Row {
  const written = new Set(patchFields(resource).map(({ name }) => name));
  const kept = Object.entries(patch).filter(
    ([name, value]) => written.has(name) || !(name in before) || !isDeepStrictEqual(before[name], value),
  );
  const wrong = kept.filter(([name]) => !written.has(name));
  if (wrong.length > 0)
    throw invalidInput(
      wrong.map(([name]) =>
        name in before
          ? { path: [name], code: 'read_only', detail: 'is set by the service alone' }
          : { path: [name], code: 'unknown_field', detail: 'is not a field of this record' },
      ),
    );
  return Object.fromEntries(kept);
}

async function tryChange(change: RecordChange, before: Row, { service, rights, signal }: ToolCall) {
  const { resource, id, operation, input, patch } = change;
  if (operation === 'update' && Object.keys(patch).length === 0)
    return { checked: 'everything', changes: [] };
  // Without the right to bulk changes, values are checked and compared with the record.
  if (!rights.mayManage(resource)) {
    if (operation === 'update') requireValid(patchFields(resource), patch);
    return { checked: 'fields', changes: differences(before, mergePatch(before, patch) as Row) };
  }
  // The service tries it as a bulk change of one record, and rolls back.
  const { reason, ...fields } = input;
  const bulk = {
    filter: { ids: [id] },
    change: { type: operation, ...(operation === 'update' ? { patch: fields } : fields) },
    dryRun: true,
    ...(reason !== undefined && { reason }),
  };
  const { samples, errors } = (await service.mutate(`${resource}.bulk`, bulk, { signal })) as {
    samples: { changes: { field: string; from: unknown; to: unknown }[] }[];
    errors: { code: string; detail: string }[];
  };
  if (errors[0] !== undefined) throw new ToolError({ code: errors[0].code, detail: errors[0].detail });
  const changes = samples[0]?.changes ?? [];
  return {
    checked: 'everything',
    changes: changes.map(({ field, from, to }) => ({ field, before: from ?? null, after: to ?? null })),
  };
}
