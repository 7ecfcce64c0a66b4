import { type ErrorCode, errorCodes, type KeyWithSecret, type Scope } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityProvider } from '../support/auth/identity-provider.ts';
import { personWith } from '../support/auth/people.ts';
import { imported } from '../support/file-imports.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { exchange } from '../support/http/raw.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { whileLocked } from '../support/locks.ts';
import { insertManyAgents } from '../support/many-agents.ts';
import { expectProblem } from '../support/problems.ts';
import { until, webhooksOf } from '../support/webhooks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const noRecords = { filter: { mlsId: 'none' }, change: { type: 'delete' }, expectedCount: 0 };
const person = { firstName: 'Ana', lastName: 'Figueiredo' };
const NEVER_MS = 60_000;

/** What raises each reason through REST; the compiler and the first test ask for one of each. */
const cases: Record<ErrorCode, () => Promise<Response>> = {
  bad_request: () => exchange(server.url, 'GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  invalid_json: () => server.request('POST', '/offices', '{"name":'),
  invalid_parameter: () => server.request('GET', '/offices?limit=x'),
  invalid_cursor: () => server.request('GET', '/agents?cursor=mine'),
  cursor_mismatch: async () => {
    await Promise.all([1, 2].map(() => directoryOf(server).office()));
    const { nextCursor } = await directoryOf(server).list('offices', 'limit=1&sort=name');
    return server.request('GET', `/offices?limit=1&sort=-name&cursor=${nextCursor}`);
  },
  unauthenticated: () => server.request('GET', '/offices', undefined, { Authorization: 'Bearer rst_x' }),
  setting_fixed: async () => {
    await using service = await startTestServer({ defaultCountry: 'PT' });
    return await service.request('PATCH', '/settings', { defaultCountry: 'US' });
  },
  sign_in_failed: () => server.request('GET', '/sign-in/link?token=unknown'),
  sign_in_denied: async () => {
    const publicUrl = 'https://roster.example';
    await using provider = await startIdentityProvider({ publicUrl });
    await using service = await startTestServer({ publicUrl, identityProvider: provider.config });
    const { code } = await bodyOf<{ code: string }>(await service.request('POST', '/sign-in/device'));
    await provider.confirmDevice();
    return await service.request('POST', '/sign-in/device/token', { code });
  },
  invalid_logout_token: async () => {
    const publicUrl = 'https://roster.example';
    await using provider = await startIdentityProvider({ publicUrl });
    await using service = await startTestServer({ publicUrl, identityProvider: provider.config });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return await service.request('POST', '/sign-out/back-channel', 'logout_token=x', headers);
  },
  insufficient_scope: async () => {
    const Authorization = await bearer(['agents:read']);
    return server.request('GET', '/offices', undefined, { Authorization });
  },
  record_merged: async () => {
    const [{ id }, { id: duplicateId }] = await Promise.all([
      directoryOf(server).agent(),
      directoryOf(server).agent(),
    ]);
    await server.request('POST', `/agents/${id}/merge`, { duplicateId });
    return server.request('PATCH', `/agents/${duplicateId}`, { title: 'Late' });
  },
  cursor_expired: () => server.request('GET', '/events?after=1000000'),
  not_found: () => server.request('GET', `/agents/${UNKNOWN_ID}`),
  no_such_route: () => server.request('GET', '/companies'),
  method_not_allowed: () => server.request('DELETE', '/offices'),
  request_timeout: async () => {
    await using impatient = await startTestServer({ timeouts: { headersMs: 100, requestMs: NEVER_MS } });
    return await exchange(impatient.url, 'GET /offices HTTP/1.1\r\nHost: a\r\n');
  },
  email_taken: async () => {
    await directoryOf(server).agent({ email: 'ana@atlantico.example' });
    return server.request('POST', '/agents', { ...person, email: 'ANA@atlantico.example' });
  },
  person_email_taken: async () => {
    const { email } = await personWith(server, [{ role: 'viewer' }]);
    const grants = [{ role: 'viewer' }];
    return server.request('POST', '/people', { name: 'Ana', email: email.toUpperCase(), grants });
  },
  last_admin: async () => {
    const { id, headers } = await personWith(server, [{ role: 'admin' }]);
    return server.request('DELETE', `/people/${id}`, undefined, headers);
  },
  link_unavailable: async () => {
    const { id } = await personWith(server, [{ role: 'viewer' }]);
    await server.request('PUT', `/people/${id}/deactivate`);
    return server.request('POST', '/invitations', { personId: id });
  },
  source_taken: async () => {
    const source = { name: 'MLS Lisboa', key: 'OFF-1' };
    await directoryOf(server).office({ source });
    return server.request('POST', '/offices', { name: 'Porto', source });
  },
  office_inactive: async () => {
    const { id } = await directoryOf(server).office();
    await directoryOf(server).put('offices', id, 'deactivate');
    return server.request('POST', '/agents', { ...person, officeId: id });
  },
  office_cycle: async () => {
    const main = await directoryOf(server).office();
    const branch = await directoryOf(server).office({ mainOfficeId: main.id });
    return server.request('PATCH', `/offices/${main.id}`, { mainOfficeId: branch.id });
  },
  too_many_agents: async () => {
    await using full = await startTestServer();
    const { id } = await directoryOf(full).office();
    await insertManyAgents(full, { officeId: id, count: 100_001 });
    const toOfficeId = (await directoryOf(full).office()).id;
    return await full.request('PUT', `/offices/${id}/transfer-agents`, { toOfficeId });
  },
  change_finished: async () => {
    const { agent, schedule } = directoryOf(server);
    const path = `/scheduled-changes/${await schedule((await agent()).id, 500)}`;
    const read = async () => bodyOf(await server.request('GET', path));
    await until(async () => (await read()).status === 'done', 'the scheduled change');
    return server.request('DELETE', path);
  },
  key_revoked: async () => {
    const { id } = await newKey(['agents:read']);
    await server.request('PUT', `/keys/${id}/revoke`);
    return server.request('PUT', `/keys/${id}/rotate`);
  },
  test_in_progress: async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => 'hang';
    const { id } = await webhooksOf(server).create({ url: receiver.url, types: ['office.purged'] });
    const test = () => server.request('PUT', `/webhooks/${id}/test`);
    const first = test();
    await until(() => receiver.received.length === 1, 'the first test');
    const rejected = await test();
    await receiver.stop();
    await first;
    return rejected;
  },
  limit_reached: async () => {
    await using full = await startTestServer({ webhooksMax: 1 });
    const body = { url: 'http://127.0.0.1:9/', types: ['office.purged'] };
    await webhooksOf(full).create(body);
    return await full.request('POST', '/webhooks', body);
  },
  idempotency_in_progress: () =>
    whileLocked(server, async () => {
      const headers = { 'Idempotency-Key': 'twice' };
      const first = server.request('POST', '/offices', { name: 'Porto' }, headers);
      // The request that takes the key first waits for the table; the other one is rejected.
      return Promise.race([first, server.request('POST', '/offices', { name: 'Porto' }, headers)]);
    }),
  has_dependents: async () => {
    const { id } = await directoryOf(server).office();
    await directoryOf(server).agent({ officeId: id });
    return server.request('DELETE', `/offices/${id}`);
  },
  count_mismatch: () => server.request('POST', '/agents/bulk', { ...noRecords, expectedCount: 3 }),
  job_not_finished: async () => {
    // Its workers find no database, so that the job stays queued.
    const workersConnection = { ...server.database.connection, host: '127.0.0.1', port: 9 };
    await using idle = await startTestServer({ workersConnection });
    await directoryOf(idle).agent();
    const body = { ...noRecords, filter: { all: true }, expectedCount: 1 };
    const { id } = (await (await idle.request('POST', '/agents/bulk', body)).json()) as { id: string };
    return await idle.request('PUT', `/jobs/${id}/undo`);
  },
  import_not_accepted: async () => {
    const { id } = await imported(server, 'name,phone\n,+351210000000\n');
    return server.request('PUT', `/imports/${id}/write`, {});
  },
  import_written: async () => {
    const { id } = await imported(server, 'Name\nBaixa\n', { path: '/imports/offices/file?mode=write' });
    const corrections = [{ column: 'Name', value: 'Baixa', text: 'Alta' }];
    return server.request('PUT', `/imports/${id}/corrections`, { corrections });
  },
  import_undone: async () => {
    const { id } = await imported(server, 'Name\nBaixa\n');
    await server.request('PUT', `/imports/${id}/undo`, {});
    return server.request('PUT', `/imports/${id}/write`, {});
  },
  version_conflict: async () => {
    const { id } = await directoryOf(server).office();
    return server.request('PATCH', `/offices/${id}`, { name: 'Porto' }, { 'If-Match': '"7"' });
  },
  version_required: async () => {
    await using strict = await startTestServer({ isVersionRequired: true });
    const { id } = await directoryOf(strict).office();
    return await strict.request('PATCH', `/offices/${id}`, { name: 'Porto' });
  },
  idempotency_key_reused: async () => {
    const headers = { 'Idempotency-Key': 'reused' };
    await server.request('POST', '/offices', { name: 'Porto' }, headers);
    return server.request('POST', '/offices', { name: 'Faro' }, headers);
  },
  rate_limited: async () => {
    await using busy = await startTestServer({ rateLimit: 1 });
    await busy.request('GET', '/offices');
    return await busy.request('GET', '/offices');
  },
  payload_too_large: () => server.request('POST', '/offices', { name: 'x'.repeat(256 * 1024) }),
  uri_too_long: () => server.request('GET', `/offices?q=${'x'.repeat(10_000)}`),
  unsupported_media_type: () =>
    server.request('POST', '/offices', 'name=x', { 'Content-Type': 'text/plain' }),
  validation_failed: () => server.request('POST', '/offices', {}),
  reference_not_found: () => server.request('POST', '/agents', { ...person, officeId: UNKNOWN_ID }),
  headers_too_large: () => server.request('GET', '/offices', undefined, { 'X-Long': 'x'.repeat(20_000) }),
  internal: async () => {
    await using broken = await startTestServer();
    await sql`alter table office rename record to json`.execute(broken.database.db);
    return await broken.request('GET', '/offices');
  },
  timeout: async () => {
    await using slow = await startTestServer({ connection: { timeouts: { statementMs: 200 } } });
    return await whileLocked(slow, () => slow.request('POST', '/offices', { name: 'Porto' }));
  },
  overloaded: async () => {
    await using busy = await startTestServer({ requestsMax: 1 });
    const sent: Promise<Response>[] = [];
    const rejected = await whileLocked(busy, () => {
      sent.push(...[1, 2].map(() => busy.request('POST', '/offices', { name: 'Porto' })));
      return Promise.race(sent);
    });
    await Promise.all(sent);
    return rejected;
  },
  unavailable: async () => {
    await using lonely = await startTestServer({ connection: { connection: 'postgres://127.0.0.1:1/none' } });
    return await lonely.request('GET', '/offices');
  },
};

async function newKey(scopes: Scope[]): Promise<KeyWithSecret> {
  const response = await server.request('POST', '/keys', { name: 'Test', scopes });
  return (await response.json()) as KeyWithSecret;
}

async function bearer(scopes: Scope[]): Promise<string> {
  return `Bearer ${(await newKey(scopes)).secret}`;
}

describe('every reason of the table', () => {
  it('has a case here', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(errorCodes).sort());
  });

  it.each(Object.entries(cases))(
    '%s is raised through REST, as a problem document',
    async (reason, raise) => {
      await expectProblem(await raise(), reason as ErrorCode);
    },
  );

  it('has a section on the page that the type of a problem points to', async () => {
    const page = await (await server.request('GET', '/docs/errors')).text();
    for (const reason of Object.keys(errorCodes)) expect(page).toContain(`id="${reason}"`);
  });
});

describe('a problem', () => {
  it('names the path of the request, without its query', async () => {
    const problem = await expectProblem(
      await server.request('GET', '/agents?limit=0&q=Ana'),
      'invalid_parameter',
    );
    expect(problem.instance).toBe('/agents');
  });

  it('lists everything that is wrong at once, each with its place', async () => {
    const body = {
      name: '',
      status: 'inactive',
      licenses: [{ number: 'x', 'a/b~c': 1 }],
      metadata: { key: 5 },
    };
    const response = await server.request('POST', '/offices', body);
    const { errors = [] } = await expectProblem(response, 'validation_failed');
    const places = errors.map(({ pointer, code }) => `${pointer} ${code}`).sort();
    expect(places).toEqual([
      '#/licenses/0/a~1b~0c unknown_field',
      '#/metadata/key invalid_type',
      '#/name required',
      '#/status read_only',
    ]);
  });

  it('says nothing of its cause when it is internal, but the request id', async () => {
    const text = await (await cases.internal()).text();
    expect(text).not.toMatch(/bio|column|office\./);
    expect(JSON.parse(text).detail).toBe('Internal error.');
  });

  it('counts what refers to a record, by kind', async () => {
    const { dependents } = await expectProblem(await cases.has_dependents(), 'has_dependents');
    expect(dependents).toEqual({ agents: 1 });
  });

  it('is never cached', async () => {
    expect((await cases.not_found()).headers.get('Cache-Control')).toBe('no-store');
  });
});
