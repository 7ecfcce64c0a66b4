import json from '../generated/records.json' with { type: 'json' };
import type { RecordContract } from './field.ts';

/** The records of the directory by resource. */
export const records = json as Record<keyof typeof json, RecordContract>;

/** The name of a resource of the directory: `offices`. */
export type ResourceName = keyof typeof records;
