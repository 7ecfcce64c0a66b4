import type { ExampleRequest, OperationExample } from '../trpc/meta.ts';

/** The records that operations on offices, agents and other resources are tried on. */

/** A resource, and the fields that create an example of its records. */
export interface Example {
  name: string;
  record: Record<string, string>;
}

/** The request that creates a record to try an operation on. */
export function creationOf({ name, record }: Example): ExampleRequest {
  return { method: 'POST', path: `/${name}`, body: record };
}

/** A record that is deleted. */
export function deletedExample(example: Example): OperationExample {
  const deletion: ExampleRequest = { method: 'DELETE', path: `/${example.name}/{1/id}` };
  return { requests: [creationOf(example), deletion] };
}

/** Two records that have something in common, a telephone by default, and the pair that the comparison in the background makes of them. */
export function pairExample(
  { name, record }: Example,
  common: object = { phone: '{phone}' },
): OperationExample {
  const created = creationOf({ name, record: { ...record, ...common } });
  const path = `/${name}/duplicates?recordId={2/id}`;
  return {
    requests: [created, created, { method: 'GET', path, until: '/items/0' }],
    path: { id: '{3/items/0/id}' },
  };
}

/** Two records, of which the second is merged into the first. */
export function mergeExample(example: Example): OperationExample {
  const created = creationOf(example);
  return { requests: [created, created], body: { duplicateId: '{2/id}' } };
}

/** A record that was merged into another one. */
export function mergedExample(example: Example): OperationExample {
  const { requests, body } = mergeExample(example);
  const merge: ExampleRequest = { method: 'POST', path: `/${example.name}/{1/id}/merge`, body: { ...body } };
  return { requests: [...requests, merge], path: { id: '{2/id}' } };
}
