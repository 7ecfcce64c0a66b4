import type { ResourceName } from '../api/contract/contracts.ts';
import { resources } from './index.ts';
import { hueOf, initialsOf } from './initials.ts';
import { type DirectoryRecord, nameOf } from './record.ts';

/** The attributes of an element that begins with the initials of a person; none of another record. */
export function avatarOf(resource: ResourceName, record: DirectoryRecord) {
  const initials = resources[resource].isPerson ? initialsOf(nameOf(record)) : '';
  return initials === ''
    ? undefined
    : {
        'data-initials': initials,
        'data-inactive': record.status === 'inactive' ? '' : undefined,
        style: { '--hue': hueOf(record.id) },
      };
}
