import type { OperationTexts, ResourceDefinition } from '../../resources/definition.ts';
import type { ExampleRequest, OperationExample } from '../../trpc/meta.ts';

/** The records that operations on offices, agents and other resources are tried on. */

type Named = Pick<ResourceDefinition, 'name'>;
type Texts = Pick<OperationTexts, 'example'>;

/** The request that creates a record to try an operation on. */
export function creationOf({ name }: Named, { example }: Texts): ExampleRequest {
  return { method: 'POST', path: `/${name}`, body: example };
}

/** A record that is deleted. */
export function deletedExample(resource: Named, texts: Texts): OperationExample {
  const deletion: ExampleRequest = { method: 'DELETE', path: `/${resource.name}/{1/id}` };
  return { requests: [creationOf(resource, texts), deletion] };
}

/** Two records with one telephone, and the pair that the comparison in the background makes of them. */
export function pairExample(resource: Named, { example }: Texts): OperationExample {
  const created = creationOf(resource, { example: { ...example, phone: '{phone}' } });
  const path = `/${resource.name}/duplicates?recordId={2/id}`;
  return {
    requests: [created, created, { method: 'GET', path, until: '/items/0' }],
    path: { id: '{3/items/0/id}' },
  };
}

/** Two records, of which the second is merged into the first. */
export function mergeExample(resource: Named, texts: Texts): OperationExample {
  const created = creationOf(resource, texts);
  return { requests: [created, created], body: { duplicateId: '{2/id}' } };
}

/** A record that was merged into another one. */
export function mergedExample(resource: Named, texts: Texts): OperationExample {
  const { requests, body } = mergeExample(resource, texts);
  const merge: ExampleRequest = { method: 'POST', path: `/${resource.name}/{1/id}/merge`, body: { ...body } };
  return { requests: [...requests, merge], path: { id: '{2/id}' } };
}
