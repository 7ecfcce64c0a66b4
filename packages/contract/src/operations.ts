import type { Operation } from '@roster/fields';
import json from '../generated/contract.json' with { type: 'json' };

/** All operations by the names of their procedures, such as `offices.create`. */
export const operations: Readonly<Record<string, Operation>> = json.operations as Record<string, Operation>;
