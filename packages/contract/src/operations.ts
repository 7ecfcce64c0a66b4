import json from '../generated/operations.json' with { type: 'json' };
import type { Operation } from './field.ts';

/** All operations by the names of their procedures, such as `offices.create`. */
export const operations = json as Record<string, Operation>;
