import { client } from './client/client.gen.ts';
import {
  agentsCreate,
  agentsDeactivate,
  agentsDelete,
  agentsGet,
  agentsList,
  agentsRestore,
  agentsUpdate,
  officesCreate,
} from './client/sdk.gen.ts';

client.setConfig({ baseUrl: process.env.ROSTER_URL ?? '', auth: () => process.env.ROSTER_KEY });
const done = (what: string, isTrue: boolean) => process.stdout.write(isTrue ? `${what}\n` : `NOT ${what}\n`);

const office = await officesCreate({ body: { name: 'Atlântico Imóveis', address: { city: 'Lisboa' } } });
const created = await agentsCreate({
  body: { firstName: 'Ana', lastName: 'Figueiredo', officeId: office.data?.id ?? null, languages: ['pt-PT'] },
  headers: { 'Idempotency-Key': 'tour-1' },
});
const path = { id: created.data?.id ?? '' };
done('created', created.response?.status === 201 && created.data?.displayName === 'Ana Figueiredo');

const page = await agentsList({
  query: { q: 'figueiredo', status: ['active'], expand: ['office'], limit: 5 },
});
done('listed', page.data?.items[0]?.office?.name === 'Atlântico Imóveis');

const read = await agentsGet({ path });
done('read', read.data?.languages[0] === 'pt-PT');

const tag = read.response?.headers.get('ETag') ?? '';
const unchanged = await agentsGet({ path, headers: { 'If-None-Match': tag } });
done('unchanged', unchanged.response?.status === 304);

const patched = await agentsUpdate({
  path,
  headers: { 'If-Match': tag },
  body: { title: 'Broker', metadata: { desk: '7' } },
});
done('patched', patched.data?.version === 2);

const rejected = await agentsUpdate({ path, headers: { 'If-Match': tag }, body: { title: null } });
done('rejected', rejected.error?.code === 'version_conflict' && rejected.error.currentVersion === 2);

const deactivated = await agentsDeactivate({ path, body: { reason: 'On leave' } });
done('deactivated', deactivated.data?.statusReason === 'On leave');

const deleted = await agentsDelete({ path });
done('deleted', deleted.response?.status === 204);

const restored = await agentsRestore({ path });
done('restored', restored.data?.status === 'inactive');
