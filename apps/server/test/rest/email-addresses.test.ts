import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const create = (email: string) =>
  server.request('POST', '/agents', { firstName: 'Ana', lastName: 'Reis', email });

it('an e-mail address is that of one agent, however it is typed, and is found so', async () => {
  expect((await create('jos\u00e9@x.example')).status).toBe(201);
  for (const same of ['jose\u0301@x.example', ' JOSE\u0301@x.example '])
    expect(await (await create(same)).json()).toMatchObject({ code: 'email_taken' });
  const found = await server.request('GET', `/agents?email=${encodeURIComponent('jose\u0301@x.example')}`);
  expect(await found.json()).toMatchObject({ items: [{ email: 'jos\u00e9@x.example' }] });
});

it('an e-mail address loses what is not seen around it', async () => {
  const created = await create('\u202aunseen@x.example\u200b\u202c');
  expect(await created.json()).toMatchObject({ email: 'unseen@x.example' });
});

it.each([
  'mailto:b@x.example',
  '<b@x.example>',
  '‹b@x.example›',
  'b@x.example,c',
  'b@x.example;',
  'b(c)@x.example',
  'b\u200b@x.example',
  'b\u0007@x.example',
  'b\u00ad@x.example',
  'b@x\u034f.example',
])(
  'an e-mail address is rejected with what belongs around it, or with what is not seen: %j',
  async (email) => {
    const response = await create(email);
    expect(response.status).toBe(422);
    const detail =
      'must be an email address such as ana@example.com, without invisible characters, angle quotes or : ; , ( )';
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '#/email', code: 'invalid_format', detail }],
    });
  },
);
