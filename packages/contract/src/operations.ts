import json from '../generated/operations.json' with { type: 'json' };
import type { Operations } from './field.ts';

/** All operations by the names of their procedures, and the patterns of texts by their kinds. */
export const { operations, patterns } = json as Operations;
