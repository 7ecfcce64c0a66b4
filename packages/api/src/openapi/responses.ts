import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { headers, referencesTo, responseHeaders } from './headers.ts';
import { type Operation, operations } from './operations.ts';

type Json = Record<string, unknown>;

const sharedErrors: ErrorCode[] = [
  ...(['bad_request', 'invalid_parameter', 'unauthenticated', 'insufficient_scope'] as const),
  ...(['request_timeout', 'uri_too_long', 'rate_limited', 'headers_too_large'] as const),
  ...(['internal', 'timeout', 'overloaded', 'unavailable'] as const),
];
/** A DELETE has no body, but one that is sent is checked. */
const bodyErrors: ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type'];

const headersOfStatus: Record<number, Json> = {
  401: { 'WWW-Authenticate': headers.WWWAuthenticate },
  403: { 'WWW-Authenticate': headers.WWWAuthenticate },
  412: { ETag: headers.ETag },
  429: { 'Retry-After': headers.RetryAfter },
  503: { 'Retry-After': headers.RetryAfter },
};

const isInProgress = (code: ErrorCode) => code.endsWith('_in_progress');

const sharedSuccesses = {
  NoContent: { description: 'Success', headers: responseHeaders },
  NotModified: {
    description: 'Unchanged since the version in `If-None-Match`',
    headers: { ...responseHeaders, ETag: headers.ETag },
  },
  MergedRecord: {
    description: 'The record was merged; `Location` is the record it was merged into',
    headers: { ...responseHeaders, Location: headers.Location },
  },
};

const shared = referencesTo('responses', sharedSuccesses);

type Failing = Pick<Operation, 'method' | 'hasBody' | 'errors'>;

/** Names of responses with several codes, in the order of the table of codes. Generated clients have them as types. */
export const responseNames: Readonly<Record<string, string>> = {
  'bad_request invalid_parameter': 'InvalidParameters',
  'bad_request invalid_parameter invalid_cursor cursor_mismatch': 'InvalidListParameters',
  'bad_request invalid_json invalid_parameter': 'InvalidRequest',
  'email_taken source_taken office_inactive': 'AgentConflict',
  'email_taken source_taken office_inactive idempotency_in_progress': 'AgentWriteConflict',
  'office_inactive idempotency_in_progress': 'AgentMergeConflict',
  'office_inactive limit_reached': 'AgentMoveConflict',
  'office_inactive too_many_agents limit_reached': 'AgentsTransferConflict',
  'source_taken office_cycle': 'OfficeConflict',
  'source_taken office_cycle idempotency_in_progress': 'OfficeWriteConflict',
  'office_inactive office_cycle idempotency_in_progress': 'OfficeMergeConflict',
  'source_taken idempotency_in_progress': 'SourceConflict',
  'limit_reached idempotency_in_progress': 'CreationConflict',
  'limit_reached idempotency_in_progress count_mismatch': 'BulkConflict',
  'limit_reached job_not_finished': 'UndoConflict',
  'limit_reached import_undone': 'ImportResumeConflict',
  'limit_reached job_not_finished import_not_accepted import_undone': 'ImportWriteConflict',
  'limit_reached job_not_finished import_written import_undone': 'ImportCorrectionConflict',
  'link_unavailable limit_reached': 'InvitationConflict',
  'person_email_taken idempotency_in_progress': 'PersonConflict',
  'person_email_taken last_admin idempotency_in_progress': 'PersonUpdateConflict',
  'setting_fixed idempotency_in_progress': 'SettingsConflict',
  'validation_failed idempotency_key_reused': 'InvalidInput',
  'validation_failed reference_not_found': 'InvalidReference',
  'validation_failed reference_not_found idempotency_key_reused': 'InvalidRecord',
  'timeout overloaded unavailable': 'Unavailable',
};

const pascalCase = (code: ErrorCode) =>
  code.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const nameOf = (codes: readonly ErrorCode[]) =>
  responseNames[codes.join(' ')] ?? codes.map(pascalCase).join('');

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`).join(' '),
    headers: {
      ...responseHeaders,
      ...headersOfStatus[status],
      ...(codes.some(isInProgress) && { 'Retry-After': headers.RetryAfter }),
    },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function codesByStatus({ method, hasBody, errors }: Failing): Map<number, ErrorCode[]> {
  const ofInput: ErrorCode[] = hasBody ? ['validation_failed'] : [];
  const all = new Set([...sharedErrors, ...(method === 'GET' ? [] : bodyErrors), ...ofInput, ...errors]);
  // In the order of the table, so that the same codes have one name.
  const ordered = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => all.has(code));
  return Map.groupBy(ordered, (code) => errorCodes[code].status);
}

export function errorResponses(operation: Failing): Record<string, Json> {
  const byStatus = codesByStatus(operation);
  const responses = Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(codes)}` },
    ]),
  );
  const isRedirected = operation.method === 'GET' && operation.errors.includes('record_merged');
  return isRedirected ? { 301: shared.MergedRecord, ...responses } : responses;
}

export function responseComponents(all: readonly Failing[]): Record<string, Json> {
  const errors = all.flatMap((operation) =>
    Array.from(codesByStatus(operation), ([status, codes]) => [nameOf(codes), errorResponse(status, codes)]),
  );
  return { ...sharedSuccesses, ...Object.fromEntries(errors) };
}

function linksOf(resource: string): Json {
  const reads = operations.filter(
    (other) =>
      other.procedure.startsWith(`${resource}.`) &&
      other.pathParameters.includes('id') &&
      other.method === 'GET',
  );
  return Object.fromEntries(
    reads.map((other) => {
      const operationId = other.procedure.replace('.', '-');
      return [operationId, { operationId, parameters: { id: '$response.body#/id' } }];
    }),
  );
}

export function successResponses(operation: Operation, { content }: Json): Record<string, Json> {
  const { method, status, isVersioned, isPage } = operation;
  const own = { ...responseHeaders, ...(isVersioned && { ETag: headers.ETag }) };
  if (status === 204) return { 204: shared.NoContent };
  if (isPage) {
    return {
      200: { description: 'A page of results', headers: { ...responseHeaders, Link: headers.Link }, content },
    };
  }
  const replayed = operation.isRepeatable && { 'Idempotency-Replayed': headers.IdempotencyReplayed };
  if (status === 201) {
    const link = operation.hasDuplicates && { Link: headers.LinkToDuplicates };
    const created = { ...own, ...replayed, Location: headers.Location, ...link };
    return {
      201: {
        description: 'Created',
        headers: created,
        content,
        links: linksOf(operation.procedure.split('.')[0] ?? ''),
      },
    };
  }
  if (status === 202 && operation.fileTypes !== undefined) {
    const accepted = { ...responseHeaders, ...replayed, Location: headers.Location };
    return {
      202: {
        description: 'File received; the import',
        headers: accepted,
        content,
        links: linksOf('imports'),
      },
    };
  }
  if (status === 202) {
    const own = { ...responseHeaders, ...replayed };
    const contentOf = (name: string) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    });
    return {
      200: { description: 'Preview (`dryRun`)', headers: own, content: contentOf('BulkPreview') },
      202: {
        description: 'Job accepted',
        headers: { ...own, Location: headers.Location },
        content: contentOf('Job'),
        links: linksOf('jobs'),
      },
    };
  }
  if (operation.isPartial) {
    const headers = { ...own, ...replayed };
    return {
      200: { description: 'Result of each record; none has errors', headers, content },
      207: { description: 'Result of each record; some have errors', headers, content },
    };
  }
  const success = { 200: { description: 'The record', headers: { ...own, ...replayed }, content } };
  if (operation.mayStartJob) {
    const accepted = { ...own, Location: headers.Location };
    return { ...success, 202: { description: 'Job accepted; the record', headers: accepted, content } };
  }
  if (method !== 'GET' || !isVersioned) return success;
  return { ...success, 304: shared.NotModified };
}
