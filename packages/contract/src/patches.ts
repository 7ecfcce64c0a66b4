import json from '../generated/patches.json' with { type: 'json' };
import type { Field } from './field.ts';

/** The fields of a merge patch of a record, by resource. */
export const patches = json as Record<keyof typeof json, Field[]>;
