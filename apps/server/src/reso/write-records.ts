import { type FieldError, RecordId, RosterError } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import { weakRecordTag } from '../http/etag.ts';
import { callProcedure } from '../procedures.ts';
import { entityUrl, type ResoAnswer, type ResoCall } from './call.ts';
import { checkEntityOptions, entityBody } from './entities.ts';
import { optionError, withErrors } from './errors.ts';
import { shownRecord } from './records.ts';
import type { ResoResource } from './resources.ts';
import { selectedFields } from './selection.ts';
import { changesLicense, nestedInput, writeInputOf } from './write-input.ts';

type Stored = Record<string, unknown> & { id: string; version: number; status: string };

/** Creates a record (RESO RCP-10; OData 4.01, part 1, section 11.4.2). */
export async function createEntity(call: ResoCall, resource: ResoResource): Promise<ResoAnswer> {
  checkWriteOptions(call);
  const { values, status } = writeInputOf(call.request.body, resource);
  if (status !== undefined && status !== 'active')
    throw statusError(resource, 'must be Active when a record is created');
  const record = await run(call, resource, { verb: 'create', input: nestedInput(values) });
  return answer(call, resource, { record, status: 201, isShownByDefault: true });
}

/** Changes the fields that the body has. */
export async function updateEntity(call: ResoCall, resource: ResoResource, key: string): Promise<ResoAnswer> {
  checkWriteOptions(call);
  const { values, status } = writeInputOf(call.request.body, resource);
  const id = idOf(key, resource);
  const current = status !== undefined || changesLicense(values) ? await find(call, resource, id) : undefined;
  const changesStatus = status !== undefined && status !== current?.status;
  if (changesStatus && values.size > 0)
    throw statusError(resource, 'changes on its own: send it without other fields');
  const verb = !changesStatus ? 'update' : status === 'active' ? 'reactivate' : 'deactivate';
  const changed = await run(atVersion(call, changesLicense(values) ? current : undefined), resource, {
    verb,
    input: { id, ...nestedInput(values, current) },
  });
  return answer(call, resource, { record: changed, status: 200, isShownByDefault: false });
}

/** Deletes a record; its last state is kept for a time, as by every other interface. */
export async function deleteEntity(call: ResoCall, resource: ResoResource, key: string): Promise<ResoAnswer> {
  checkWriteOptions(call);
  await run(call, resource, { verb: 'delete', input: { id: idOf(key, resource) } });
  return { status: 204 };
}

/** The id of a record by its key. Throws `not_found` for a key that no record can have. */
function idOf(key: string, { name }: ResoResource): string {
  const id = RecordId.safeParse(key);
  if (id.success) return id.data;
  throw new RosterError('not_found', `No ${name} has the key ${key.slice(0, 100)}.`);
}

/** A change is answered with the record, of which `$select` can choose fields. */
function checkWriteOptions(call: ResoCall): void {
  checkEntityOptions(call);
  const { expand } = call.options;
  if (expand !== undefined) throw optionError('$expand', 'not_supported', 'is not an option of a change');
}

/** A change that depends on what was read of the record is rejected if it has changed since, unless the client names a version. */
function atVersion(call: ResoCall, current: Stored | undefined): ResoCall {
  const { context } = call;
  // A service that requires versions does not take this one for the client's.
  const isNamed = call.request.headers['if-match'] !== undefined || context.services.isVersionRequired;
  if (current === undefined || isNamed) return call;
  const request = { ...context.request, precondition: () => [current.version] };
  return { ...call, context: { ...context, request } };
}

function find(call: ResoCall, { resource }: ResoResource, id: string): Promise<Stored> {
  const context = { ...call.context, request: { ...call.context.request, acceptsRawJson: false } };
  const path = `${resource}.get`;
  return callProcedure({ path, type: 'query', input: { id } }, { context }) as Promise<Stored>;
}

/** Runs a procedure of the resource. Its errors name the fields of the Data Dictionary. */
async function run(
  { context }: ResoCall,
  resource: ResoResource,
  { verb, input }: { verb: string; input: object },
): Promise<Stored> {
  const path = `${resource.resource}.${verb}`;
  try {
    return (await callProcedure({ path, type: 'mutation', input }, { context })) as Stored;
  } catch (thrown) {
    const error = toRosterError(thrown);
    if (error.errors === undefined) throw error;
    throw withErrors(
      error,
      error.errors.map((one) => named(one, resource)),
    );
  }
}

/** The same error of a field by its name in the Data Dictionary; as it is if it is about something else. */
function named({ pointer, ...error }: FieldError, { fields, key }: ResoResource): FieldError {
  if (pointer === undefined) return error.parameter === 'id' ? { ...error, parameter: key } : { ...error };
  const steps = pointer.replace(/^#\/?/, '').split('/');
  const path = steps.join('.').replace(/^licenses\.0\b/, 'licenses[0]');
  const field =
    fields.find((one) => one.path === path) ??
    fields.find((one) => one.path === steps[0]) ??
    fields.find((one) => one.path.startsWith(`${steps[0]}.`) || one.path.startsWith(`${steps[0]}[`));
  return { ...error, parameter: field?.name ?? steps[0] ?? '' };
}

function statusError({ status }: ResoResource, detail: string): RosterError {
  const errors = [{ parameter: status, code: 'not_allowed', detail }];
  return new RosterError('validation_failed', `${status} ${detail}.`, { errors });
}

interface Changed {
  record: Stored;
  status: 200 | 201;
  /** Whether the record is answered unless the client prefers otherwise. */
  isShownByDefault: boolean;
}

function answer(
  call: ResoCall,
  resource: ResoResource,
  { record, status, isShownByDefault }: Changed,
): ResoAnswer {
  const { representation } = call.preferences;
  const isShown = representation === undefined ? isShownByDefault : representation === 'representation';
  const url = entityUrl(call, resource.name, record.id);
  const headers: Record<string, string> = {
    ETag: weakRecordTag(record.version),
    EntityId: `"${record.id}"`,
    Location: url,
    ...(representation && { 'Preference-Applied': `return=${representation}` }),
    ...(call.context.request.responseMeta.isReplayed && { 'Idempotency-Replayed': 'true' }),
  };
  if (!isShown) return { status: 204, headers: { ...headers, 'OData-EntityId': url } };
  const shown = shownRecord(record, selectedFields(resource.fields, call.options.select), call);
  return { status, headers, body: entityBody(call, resource, shown, record) };
}
