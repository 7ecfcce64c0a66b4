import { directory } from '../directory/registry.ts';
import type { Listable } from '../engine/list/list-records.ts';
import type { CallContext } from '../trpc/context.ts';
import { proceduresOf } from '../trpc/procedure.ts';
import type { ShownIn } from '../trpc/replay-authorization.ts';
import { withSurvivor } from './survivor.ts';

interface RecordSettings {
  retentionDays: number;
  /** From the environment. If undefined, the setting of the directory applies. */
  defaultCountry: string | undefined;
}

export interface RecordCollaborators {
  settings: RecordSettings;
}

export interface RecordContext extends CallContext, RecordCollaborators {}

type Shown = Pick<Listable, 'table' | 'isWithin'>;

/** Procedures whose errors about a merged record name its survivor. */
export const survivingProceduresOf = (shownIn: ShownIn) => proceduresOf({ shownIn, explain: withSurvivor });

/** The procedures of a resource. A bulk change returns one of `jobs`. */
export function recordProceduresOf(resource: Shown, jobs: Shown) {
  return survivingProceduresOf(({ id, officeId, samples = [], errors = [] }, name) => {
    const ids = id === undefined ? [...samples, ...errors].map((record) => record.id) : [id];
    return [
      { listable: name === 'bulk' && id !== undefined ? jobs : resource, ids },
      // The agent can have returned from another office, which the response shows.
      { listable: directory.offices, ids: typeof officeId === 'string' ? [officeId] : [] },
    ];
  });
}
