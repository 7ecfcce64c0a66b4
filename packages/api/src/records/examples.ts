import type { ExampleRequest, OperationExample } from '../trpc/meta.ts';

export interface Example {
  name: string;
  record: Record<string, string>;
}

export function creationOf({ name, record }: Example): ExampleRequest {
  return { method: 'POST', path: `/${name}`, body: record };
}

export function deletedExample(example: Example): OperationExample {
  const deletion: ExampleRequest = { method: 'DELETE', path: `/${example.name}/{1/id}` };
  return { requests: [creationOf(example), deletion] };
}

/** Two records with one telephone; the comparison in the background makes the pair. */
export function pairExample({ name, record }: Example): OperationExample {
  const created = creationOf({ name, record: { ...record, phone: '{phone}' } });
  const path = `/${name}/duplicates?recordId={2/id}`;
  return {
    requests: [created, created, { method: 'GET', path, until: '/items/0' }],
    path: { id: '{3/items/0/id}' },
  };
}

export function mergeExample(example: Example): OperationExample {
  const created = creationOf(example);
  return { requests: [created, created], body: { duplicateId: '{2/id}' } };
}

export function mergedExample(example: Example): OperationExample {
  const { requests, body } = mergeExample(example);
  const merge: ExampleRequest = { method: 'POST', path: `/${example.name}/{1/id}/merge`, body: { ...body } };
  return { requests: [...requests, merge], path: { id: '{2/id}' } };
}
