import { openApiDocument } from '@roster/api/openapi';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../support/fixtures.ts';
import { startTestServer, type TestServer } from '../../support/index.ts';

let server: TestServer;
let officeId: string;
let agentId: string;
beforeAll(async () => {
  server = await startTestServer({ webhooks: { isPrivateAllowed: false } });
  const made = async (path: string, body: object) =>
    (await bodyOf<{ id: string }>(await server.request('POST', path, body))).id;
  officeId = await made('/offices', { name: 'Baixa' });
  agentId = await made('/agents', { firstName: 'Ana', lastName: 'Reis', officeId });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, object> } }>>;
}
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addFormat('idn-email', true);
ajv.addFormat('iri', { type: 'string', validate: (text: string) => URL.canParse(text) });
const document = openApiDocument({ baseUrl: '/' }) as unknown as Document;
ajv.addSchema(document as AnySchema, 'openapi.json');

const escaped = (token: string) => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether the document lets an operation have a body. */
function isInDocument(method: string, path: string, body: unknown): boolean {
  const operation = `/paths/${escaped(path)}/${method.toLowerCase()}`;
  const schema = `${operation}/requestBody/content/application~1json/schema`;
  return ajv.compile({ $ref: `openapi.json#${schema}` })(body);
}

const bothTimes = { effectiveAt: '2126-02-01T08:00:00Z', effectiveOn: '2126-02-01' };
const past = { effectiveAt: '2020-02-01T08:00:00Z' };
const update = (patch: object) => ({ type: 'update', patch });
const bulk = (more: object) => ({
  filter: { ids: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'] },
  change: { type: 'deactivate' },
  dryRun: true,
  ...more,
});
const selecting = (filter: object) => bulk({ filter });

type Case = [method: string, path: string, body: () => object, isTaken: boolean];

const office = (parts: object) => () => ({ name: 'Casa', ...parts });
const agent = (parts: object) => () => ({ firstName: 'Ana', lastName: 'Reis', ...parts });
const webhook = (url: string) => () => ({ url, types: ['office.purged'] });

const cases: Case[] = [
  ...(['/offices/{id}/deactivate', '/offices/{id}/reactivate'] as const).flatMap((path): Case[] => [
    ['PUT', path, () => past, true],
    ['PUT', path, () => bothTimes, false],
  ]),
  ['PUT', '/agents/{id}/deactivate', () => bothTimes, false],
  ['PUT', '/agents/{id}/reactivate', () => bothTimes, false],
  ['PUT', '/agents/{id}/transfer', () => ({ officeId, ...past }), true],
  ['PUT', '/agents/{id}/transfer', () => ({ officeId, ...bothTimes }), false],
  ['PUT', '/offices/{id}/transfer-agents', () => ({ toOfficeId: officeId, ...bothTimes }), false],
  ['PUT', '/offices/{id}/reactivate', () => ({ cascade: true }), true],
  ['PUT', '/offices/{id}/reactivate', () => ({ cascade: false, ...past }), true],
  ['PUT', '/offices/{id}/reactivate', () => ({ cascade: true, ...past }), false],
  ['PUT', '/offices/{id}/reactivate', () => ({ cascade: true, effectiveOn: '2020-02-01' }), false],
  ['POST', '/agents/bulk', () => bulk({}), true],
  ['POST', '/agents/bulk', () => bulk({ dryRun: undefined }), false],
  ['POST', '/agents/bulk', () => bulk({ dryRun: false }), false],
  ['POST', '/agents/bulk', () => bulk({ dryRun: false, expectedCount: 0 }), true],
  ['POST', '/agents/bulk', () => selecting({}), false],
  ['POST', '/agents/bulk', () => selecting({ all: true }), true],
  ['POST', '/agents/bulk', () => selecting({ all: true, affiliation: 'any' }), true],
  ['POST', '/agents/bulk', () => selecting({ affiliation: 'any' }), false],
  ['POST', '/agents/bulk', () => selecting({ all: true, status: ['active'] }), false],
  ['POST', '/offices/bulk', () => selecting({}), false],
  ['POST', '/offices/bulk', () => selecting({ all: true, q: 'x' }), false],
  ['POST', '/teams/bulk', () => selecting({ status: ['active'] }), true],
  ['POST', '/agents/bulk', () => bulk({ change: update({}) }), false],
  ['POST', '/agents/bulk', () => bulk({ change: update({ bio: null }) }), true],
  ['POST', '/webhooks', webhook('https://hooks.example.com/roster'), true],
  ['POST', '/webhooks', webhook('HTTPS://hooks.example.com/roster'), true],
  ['POST', '/webhooks', webhook('http://hooks.example.com/roster'), false],
  ...['Europe/Lisbon', ' UTC ', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires', ''].map(
    (timeZone): Case => ['POST', '/offices', office({ timeZone }), true],
  ),
  ...['+01:00', 'Lisbon time', 'Europe/'].map(
    (timeZone): Case => ['POST', '/offices', office({ timeZone }), false],
  ),
  ...['PT', 'pt'].map((country): Case => ['POST', '/offices', office({ address: { country } }), true]),
  ...['P', 'P1', '??'].map((country): Case => ['POST', '/offices', office({ address: { country } }), false]),
  ...['pt', 'pt-br', 'zh-Hant-TW', ' en '].map(
    (language): Case => ['POST', '/agents', agent({ languages: [language] }), true],
  ),
  ...[{ lastName: undefined }, { firstName: null }, { firstName: '' }].map(
    (names): Case => ['POST', '/agents', agent(names), true],
  ),
  ...[undefined, null, ' '].map(
    (name): Case => ['POST', '/agents', agent({ firstName: name, lastName: name }), false],
  ),
  ...['p', 'pt_BR', 'português', 'x-own', ''].map(
    (language): Case => ['POST', '/agents', agent({ languages: [language] }), false],
  ),
];

describe('the document says of a body what the service says', () => {
  it.each(cases)('%s %s %#', async (method, path, body, isTaken) => {
    const sent = JSON.parse(JSON.stringify(body()));
    const id = path.startsWith('/agents') ? agentId : officeId;
    const response = await server.request(method, path.replace('{id}', id), sent);
    const seen = { isInDocument: isInDocument(method, path, sent), isTaken: response.ok, sent };
    expect(seen).toEqual({ isInDocument: isTaken, isTaken, sent });
  });
});

describe('the document of a service', () => {
  const urlPattern = async (one: TestServer) => {
    const { components } = await bodyOf<{ components: { schemas: Record<string, Json> } }>(
      await one.request('GET', '/openapi.json'),
    );
    return new RegExp(components.schemas.NewWebhook?.properties.url?.pattern ?? '^$', 'u');
  };
  interface Json {
    properties: Record<string, { pattern?: string }>;
  }

  it('lets webhooks have http URLs if the service does', async () => {
    await using open = await startTestServer({
      webhooks: { isPrivateAllowed: true },
      database: server.database,
    });
    expect((await urlPattern(server)).test('http://127.0.0.1/')).toBe(false);
    expect((await urlPattern(open)).test('http://127.0.0.1/')).toBe(true);
  });
});
