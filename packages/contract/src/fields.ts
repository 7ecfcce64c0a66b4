import type { BareRecordContract } from '@roster/fields';
import json from '../generated/fields.json' with { type: 'json' };

/** The records of the directory by resource, without descriptions: what a page needs before it shows anything. */
export const records = json.records as Record<keyof typeof json.records, BareRecordContract>;
