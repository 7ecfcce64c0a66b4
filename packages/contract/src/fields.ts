import json from '../generated/fields.json' with { type: 'json' };
import type { BareRecordContract } from './field.ts';

/** The records of the directory by resource, without descriptions: what a page needs before it shows anything. */
export const records = json as Record<keyof typeof json, BareRecordContract>;
