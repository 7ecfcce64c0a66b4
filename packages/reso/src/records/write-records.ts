import { type FieldError, RecordId, RosterError } from '@roster/api';
import {
  checkEntityOptions,
  entityTag,
  entityUrl,
  type ResoCall,
  rejectExpand,
  rejectOptionsBut,
} from '../call/call.ts';
import { type ResoResource, selectedFields } from '../fields/fields.ts';
import { noSuchEntity, withErrors } from '../protocol/errors.ts';
import type { Mutated, ResoResponse, Row } from '../protocol/service.ts';
import { entityBody } from './entities.ts';
import { shownRecord } from './shown-record.ts';
import { changesLicense, nestedInput, writeInputOf } from './write-input.ts';

/** RESO RCP-10; OData 4.01, part 1, section 11.4.2. */
export async function createEntity(call: ResoCall, resource: ResoResource): Promise<ResoResponse> {
  checkWriteOptions(call);
  const { values, status } = writeInputOf(call.request.body, resource);
  if (status !== undefined && status !== 'active')
    throw statusError(resource, 'must be Active when a record is created');
  const created = await run(call, resource, { verb: 'create', input: nestedInput(values) });
  return responseOf(call, resource, { ...created, status: 201, isShownByDefault: true });
}

export async function updateEntity(
  call: ResoCall,
  resource: ResoResource,
  key: string,
): Promise<ResoResponse> {
  checkWriteOptions(call);
  const { values, status } = writeInputOf(call.request.body, resource);
  const id = idOf(key, resource);
  const isRead = status !== undefined || changesLicense(values);
  const current = isRead ? await call.service.query(`${resource.resource}.get`, { id }) : undefined;
  const changesStatus = status !== undefined && status !== current?.status;
  if (changesStatus && values.size > 0)
    throw statusError(resource, 'changes on its own: send it without other fields');
  const verb = !changesStatus ? 'update' : status === 'active' ? 'reactivate' : 'deactivate';
  const input = { id, ...nestedInput(values, current) };
  const version = changesLicense(values) ? versionOf(call, current) : undefined;
  const changed = await run(call, resource, { verb, input, version });
  return responseOf(call, resource, { ...changed, status: 200, isShownByDefault: false });
}

/** The record can be restored for a time. */
export async function deleteEntity(
  call: ResoCall,
  resource: ResoResource,
  key: string,
): Promise<ResoResponse> {
  rejectOptionsBut('format', call, 'a deletion');
  await run(call, resource, { verb: 'delete', input: { id: idOf(key, resource) } });
  return { status: 204 };
}

/** Throws `not_found` for an invalid key. */
function idOf(key: string, { name }: ResoResource): string {
  const id = RecordId.safeParse(key);
  if (id.success) return id.data;
  throw noSuchEntity(name, key);
}

/** A change returns the record, for which `$select` can choose fields. */
function checkWriteOptions(call: ResoCall): void {
  checkEntityOptions(call);
  rejectExpand(call, 'a change');
}

/** Fails the change if the record has changed since. Undefined if the client specifies the version, or must. */
function versionOf({ request, service }: ResoCall, current: Row | undefined): number | undefined {
  const isNamed = request.headers['if-match'] !== undefined || service.isVersionRequired;
  return isNamed ? undefined : current?.version;
}

/** Errors use the names of the Data Dictionary. */
async function run(
  { service }: ResoCall,
  resource: ResoResource,
  { verb, input, version }: { verb: string; input: object; version?: number | undefined },
): Promise<Mutated> {
  try {
    return await service.mutate(`${resource.resource}.${verb}`, input, { version });
  } catch (error) {
    if (!(error instanceof RosterError) || error.errors === undefined) throw error;
    throw withErrors(
      error,
      error.errors.map((one) => named(one, resource)),
    );
  }
}

function named({ pointer, ...error }: FieldError, { fields, key }: ResoResource): FieldError {
  if (pointer === undefined) return error.parameter === 'id' ? { ...error, parameter: key } : { ...error };
  const steps = pointer.replace(/^#\/?/, '').split('/');
  const path = steps.join('.').replace(/^licenses\.0\b/, 'licenses[0]');
  const field =
    fields.find((one) => one.path === path) ??
    fields.find((one) => one.path === steps[0]) ??
    fields.find((one) => one.path.startsWith(`${steps[0]}.`) || one.path.startsWith(`${steps[0]}[`));
  const detail = error.detail.replaceAll(
    /\b[a-z]+[A-Z]\w*/g,
    (word) => fields.find((one) => one.path === word)?.name ?? word,
  );
  return { ...error, detail, parameter: field?.name ?? steps[0] ?? '' };
}

function statusError({ status = '' }: ResoResource, detail: string): RosterError {
  const errors = [{ parameter: status, code: 'not_allowed', detail }];
  return new RosterError('validation_failed', `${status} ${detail}.`, { errors });
}

interface Changed extends Mutated {
  status: 200 | 201;
  isShownByDefault: boolean;
}

function responseOf(
  call: ResoCall,
  resource: ResoResource,
  { record, isReplayed, status, isShownByDefault }: Changed,
): ResoResponse {
  const { representation } = call.preferences;
  const isShown = representation === undefined ? isShownByDefault : representation === 'representation';
  const url = entityUrl(call, resource.name, record.id);
  const headers: Record<string, string> = {
    ETag: entityTag(record.version),
    EntityId: `"${record.id}"`,
    Location: url,
    ...(representation && { 'Preference-Applied': `return=${representation}` }),
    ...(isReplayed && { 'Idempotency-Replayed': 'true' }),
  };
  if (!isShown) return { status: 204, headers: { ...headers, 'OData-EntityId': url } };
  const shown = shownRecord(record, selectedFields(resource.fields, call.options.select), call);
  return { status, headers, body: entityBody(call, resource, shown, record) };
}
