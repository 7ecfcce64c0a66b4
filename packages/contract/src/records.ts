import type { RecordContract } from '@roster/fields';
import json from '../generated/contract.json' with { type: 'json' };

/** The name of a resource of the directory: `offices`. */
export type ResourceName = keyof typeof json.records;

/** The records of the directory by resource. */
export const records = json.records as Record<ResourceName, RecordContract>;
