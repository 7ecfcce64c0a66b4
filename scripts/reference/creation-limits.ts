import { PENDING_MAX } from '../../packages/api/src/engine/fields/scheduled-changes.ts';
import {
  type CreationName,
  creations,
  maxFor,
  ownerMaxOf,
} from '../../packages/api/src/identity/access/creation-limits.ts';
import { PASSKEYS_MAX } from '../../packages/api/src/identity/passkeys/service.ts';
import { SESSIONS_MAX } from '../../packages/api/src/identity/sessions/service.ts';
import { LINKS_MAX } from '../../packages/api/src/identity/sign-in/service.ts';
import { error, type Limit, setting } from './limit-texts.ts';
import { number } from './markdown.ts';

const reached = error(409, 'limit_reached');
/** Any limit to some offices. */
const someOffices = { granted: [], offices: new Set<string>() };

/** The numbers of one kind: of all owners, of one, and of all while the caller is limited to some offices. */
function limitOf(what: string, name: Exclude<CreationName, 'webhooks'>): Limit {
  const { max } = creations[name];
  const [own, limited] = [ownerMaxOf(name, max), maxFor(someOffices, max)].map(number);
  return [what, `${number(max)}; ${own} of one owner; ${limited} for callers with an office limit`, reached];
}

/** The limits on what callers create. An owner is a key or a person. */
export const creationLimits: readonly Limit[] = [
  [
    'webhooks',
    `${setting('ROSTER_WEBHOOKS_MAX')}; half of them of one owner; four fifths of them for callers with an office limit`,
    reached,
  ],
  limitOf('keys that work', 'keys'),
  limitOf('saved views', 'views'),
  limitOf('open invitations', 'invitations'),
  limitOf('jobs that have not ended, and files that are being received', 'jobs'),
  limitOf('pending scheduled changes', 'scheduledChanges'),
  [
    'pending scheduled changes of a record',
    `${number(PENDING_MAX)}; ${number(maxFor(someOffices, PENDING_MAX))} for callers with an office limit`,
    reached,
  ],
  ['open invitations of a person', '1', 'the earlier one ends'],
  ['passkeys of a person', number(PASSKEYS_MAX), reached],
  ['sessions of one owner', number(SESSIONS_MAX), 'the oldest ends'],
  ['links of one owner that have not been used', number(LINKS_MAX), 'the oldest works no longer'],
];
