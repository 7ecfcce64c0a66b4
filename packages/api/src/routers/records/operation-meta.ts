import type { DirectoryResource } from '../../directory.ts';
import type { ErrorCode } from '../../errors/error-codes.ts';
import type { Meta } from '../../trpc/meta.ts';

/** The parts of a resource that the metadata of its operations names. */
export type Described = Pick<DirectoryResource<{ id: string }>, 'name' | 'table' | 'texts'>;

interface OperationText {
  summary: string;
  description: string;
  contentTypes?: string[];
}

/**
 * The metadata of one operation of a resource.
 *
 * @param route the method and the rest of the path: `PUT /{id}/restore`
 */
export function operationOf({ name, texts }: Described, route: string, text: OperationText): Meta {
  const [method, rest] = route.split(' ') as ['GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', string];
  return { openapi: { method, path: `/${name}${rest}`, tags: [texts.title], ...text } };
}

const rulesOfAll: readonly ErrorCode[] = ['source_taken', 'reference_not_found'];

/** The errors of the rules of a resource, those that all resources have first. */
export function sharedFirst(errors: readonly ErrorCode[]): ErrorCode[] {
  return [...rulesOfAll, ...errors.filter((code) => !rulesOfAll.includes(code))];
}

export const updateText = 'JSON Merge Patch: absent leaves, null clears, lists are replaced whole.';
export const historyText =
  'Every change that the log still has, newest first: who, when, why, and what was before and after; also of a deleted record. ' +
  'A caller who is limited to some offices gets those that are within them. Also needs the scope `events:read`.';
export const blameText =
  'For each field that has a value or once had one, the change that set it last; also of a deleted record. Also needs the scope ' +
  '`events:read`.';
export const revertText =
  'Gives the record, or the `fields` that are named, the values of an earlier version, as an update with its rules; with `dryRun` ' +
  'answers what that would change. The status does not change: deactivate and reactivate do that. Repeated, it changes nothing. ' +
  'Also needs the scopes to read the record and `events:read`.';
