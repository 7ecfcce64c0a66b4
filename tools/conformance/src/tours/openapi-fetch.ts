import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

const client = createClient<paths>({
  baseUrl: process.env.ROSTER_URL ?? '',
  headers: { Authorization: `Bearer ${process.env.ROSTER_KEY}` },
});
const done = (what: string, isTrue: boolean) => process.stdout.write(isTrue ? `${what}\n` : `NOT ${what}\n`);

const office = await client.POST('/offices', {
  body: { name: 'Atlântico Imóveis', address: { city: 'Lisboa' } },
});
const created = await client.POST('/agents', {
  body: { firstName: 'Ana', lastName: 'Figueiredo', officeId: office.data?.id ?? null, languages: ['pt-PT'] },
  params: { header: { 'Idempotency-Key': 'tour-1' } },
});
const id = created.data?.id ?? '';
done('created', created.response.status === 201 && created.data?.displayName === 'Ana Figueiredo');

const page = await client.GET('/agents', {
  params: { query: { q: 'figueiredo', status: ['active'], expand: ['office'], limit: 5 } },
});
done('listed', page.data?.items[0]?.office?.name === 'Atlântico Imóveis');

const read = await client.GET('/agents/{id}', { params: { path: { id } } });
done('read', read.data?.languages[0] === 'pt-PT');

const tag = read.response.headers.get('ETag') ?? '';
const unchanged = await client.GET('/agents/{id}', {
  params: { path: { id }, header: { 'If-None-Match': tag } },
});
done('unchanged', unchanged.response.status === 304);

const patched = await client.PATCH('/agents/{id}', {
  params: { path: { id }, header: { 'If-Match': tag } },
  body: { title: 'Broker', metadata: { desk: '7' } },
});
done('patched', patched.data?.version === 2);

const rejected = await client.PATCH('/agents/{id}', {
  params: { path: { id }, header: { 'If-Match': tag } },
  body: { title: null },
});
done('rejected', rejected.error?.code === 'version_conflict' && rejected.error.currentVersion === 2);

const deactivated = await client.PUT('/agents/{id}/deactivate', {
  params: { path: { id } },
  body: { reason: 'On leave' },
});
done('deactivated', deactivated.data?.statusReason === 'On leave');

const deleted = await client.DELETE('/agents/{id}', { params: { path: { id } } });
done('deleted', deleted.response.status === 204);

const restored = await client.PUT('/agents/{id}/restore', { params: { path: { id } } });
done('restored', restored.data?.status === 'inactive');
