import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { expectFault, expectProblem } from '../support/problems.ts';
import { useServer } from '../support/use-server.ts';

let now = new Date('2026-01-31T08:00:00.000Z');
const server = useServer({ now: () => now });

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const later = () => {
  now = new Date(now.getTime() + 1_000);
  return now.toISOString();
};

describe('the e-mail address of an agent', () => {
  const fault = { pointer: '#/email', code: 'taken' };
  const person = { firstName: 'Ana', lastName: 'Silva' };

  it.each([
    ['Latin', 'ana@atlantico.example', 'ANA@Atlantico.Example'],
    ['Greek', 'νίκος@ακίνητα.example', 'ΝΊΚΟΣ@ΑΚΊΝΗΤΑ.EXAMPLE'],
    ['Cyrillic', 'ольга@дім.example', 'ОЛЬГА@ДІМ.example'],
    ['accented Latin', 'žižka@größe.example', 'ŽIŽKA@GRÖßE.example'],
  ])('rejects a second agent with the same one, in any letter case (%s)', async (_, email, other) => {
    const first = await directoryOf(server()).agent({ email });
    expect(first.email).toBe(email);
    await expectFault(
      await server().request('POST', '/agents', { ...person, email: other }),
      'email_taken',
      fault,
    );
    const second = await directoryOf(server()).agent();
    const update = await server().request('PATCH', `/agents/${second.id}`, { email: other });
    await expectFault(update, 'email_taken', fault);
    expect((await directoryOf(server()).get('agents', second.id)).email).toBeNull();
  });

  it('may be written another way by its own agent', async () => {
    const { id } = await directoryOf(server()).agent({ email: 'mia@atlantico.example' });
    const patched = await directoryOf(server()).patch('agents', id, { email: 'Mia@Atlantico.example' });
    expect(patched).toMatchObject({ email: 'Mia@Atlantico.example', version: 2 });
  });

  it('is free again when its agent is deleted or gives it up', async () => {
    const email = 'free@atlantico.example';
    const first = await directoryOf(server()).agent({ email });
    await directoryOf(server()).remove('agents', first.id);
    const second = await directoryOf(server()).agent({ email });
    await directoryOf(server()).patch('agents', second.id, { email: null });
    expect((await directoryOf(server()).agent({ email })).email).toBe(email);
  });

  it('stays taken by an inactive agent', async () => {
    const email = 'inactive@atlantico.example';
    const { id } = await directoryOf(server()).agent({ email });
    await directoryOf(server()).put('agents', id, 'deactivate');
    await expectProblem(await server().request('POST', '/agents', { ...person, email }), 'email_taken');
  });

  it('may be missing in any number of agents, and be that of an office', async () => {
    const email = 'both@atlantico.example';
    await Promise.all([directoryOf(server()).agent(), directoryOf(server()).agent()]);
    await Promise.all([directoryOf(server()).office({ email }), directoryOf(server()).office({ email })]);
    expect((await directoryOf(server()).agent({ email })).email).toBe(email);
  });
});

describe('the display name', () => {
  it('is first and last name unless given, and follows them', async () => {
    const agent = await directoryOf(server()).agent({ firstName: '太郎', lastName: '山田' });
    expect(agent.displayName).toBe('太郎 山田');
    expect((await directoryOf(server()).patch('agents', agent.id, { lastName: '鈴木' })).displayName).toBe(
      '太郎 鈴木',
    );
  });

  it('once given, stays as it is; null or an empty text returns to the default', async () => {
    const { id } = await directoryOf(server()).agent({
      firstName: 'Ana',
      lastName: 'Silva',
      displayName: '山田 太郎',
    });
    const renamed = await directoryOf(server()).patch('agents', id, { firstName: 'Eva' });
    expect(renamed.displayName).toBe('山田 太郎');
    expect((await directoryOf(server()).patch('agents', id, { displayName: null })).displayName).toBe(
      'Eva Silva',
    );
    await directoryOf(server()).patch('agents', id, { displayName: 'Eva S.' });
    expect((await directoryOf(server()).patch('agents', id, { displayName: ' ' })).displayName).toBe(
      'Eva Silva',
    );
  });

  it('that says what the default says is the default, so what was read can be written back', async () => {
    const agent = await directoryOf(server()).agent({
      firstName: 'Ana',
      lastName: 'Silva',
      displayName: 'Ana Silva',
    });
    const same = await directoryOf(server()).patch('agents', agent.id, { displayName: agent.displayName });
    expect(same.version).toBe(1);
    expect((await directoryOf(server()).patch('agents', agent.id, { lastName: 'Costa' })).displayName).toBe(
      'Ana Costa',
    );
    const both = await directoryOf(server()).patch('agents', agent.id, {
      firstName: 'Eva',
      displayName: 'Eva Costa',
    });
    expect(both.version).toBe(3);
    expect((await directoryOf(server()).patch('agents', agent.id, { lastName: 'Melo' })).displayName).toBe(
      'Eva Melo',
    );
  });

  it('of the longest names is read in full', async () => {
    const [firstName, lastName] = ['é'.repeat(100), '🏠'.repeat(100)];
    expect((await directoryOf(server()).agent({ firstName, lastName })).displayName).toBe(
      `${firstName} ${lastName}`,
    );
  });
});

describe('the time of a transfer', () => {
  it('is set when the office changes, by whatever change, and by nothing else', async () => {
    const [first, second] = await Promise.all([
      directoryOf(server()).office(),
      directoryOf(server()).office(),
    ]);
    const { id, transferredAt } = await directoryOf(server()).agent({ officeId: first.id });
    expect(transferredAt).toBeNull();
    const change = async (body: object) =>
      (await directoryOf(server()).patch('agents', id, { ...body })).transferredAt;
    later();
    expect(await change({ bio: 'x' })).toBeNull();
    expect(await change({ officeId: first.id })).toBeNull();
    const moved = later();
    expect(await change({ officeId: second.id })).toBe(moved);
    later();
    expect(await change({ officeId: second.id, bio: 'y' })).toBe(moved);
    expect((await directoryOf(server()).put('agents', id, 'deactivate')).transferredAt).toBe(moved);
    const left = later();
    expect(await change({ officeId: null })).toBe(left);
    later();
    expect(await change({ officeId: null })).toBe(left);
    const joined = later();
    expect(await change({ officeId: first.id })).toBe(joined);
  });
});

describe('what an agent refers to', () => {
  it('must be there', async () => {
    const { id } = await directoryOf(server()).agent();
    for (const field of ['officeId', 'assistantToAgentId']) {
      const body = { firstName: 'Ana', lastName: 'Silva', [field]: UNKNOWN_ID };
      const fault = { pointer: `#/${field}`, code: 'not_found' };
      await expectFault(await server().request('POST', '/agents', body), 'reference_not_found', fault);
      const update = await server().request('PATCH', `/agents/${id}`, { [field]: UNKNOWN_ID });
      await expectFault(update, 'reference_not_found', fault);
    }
  });

  it('cannot be itself', async () => {
    const { id } = await directoryOf(server()).agent();
    const response = await server().request('PATCH', `/agents/${id}`, { assistantToAgentId: id });
    await expectFault(response, 'validation_failed', { pointer: '#/assistantToAgentId', code: 'self' });
  });
});

describe('an agent whom others refer to is not deleted', () => {
  it('and the error counts the offices that they manage, and their assistants', async () => {
    const { id } = await directoryOf(server()).agent();
    await Promise.all([
      directoryOf(server()).office({ brokerAgentId: id, managerAgentId: id }),
      directoryOf(server()).office({ brokerAgentId: id }),
      directoryOf(server()).agent({ assistantToAgentId: id }),
    ]);
    const { dependents } = await expectProblem(
      await server().request('DELETE', `/agents/${id}`),
      'has_dependents',
    );
    expect(dependents).toEqual({ brokerOf: 2, managerOf: 1, assistants: 1 });
  });

  it.each(['brokerAgentId', 'managerAgentId'])('as %s, until another one is', async (field) => {
    const { id } = await directoryOf(server()).agent();
    const office = await directoryOf(server()).office({ [field]: id });
    await expectProblem(await server().request('DELETE', `/agents/${id}`), 'has_dependents');
    await directoryOf(server()).patch('offices', office.id, { [field]: null });
    expect((await server().request('DELETE', `/agents/${id}`)).status).toBe(204);
  });
});

describe('languages', () => {
  it('are stored in their canonical form', async () => {
    const { languages } = await directoryOf(server()).agent({ languages: ['PT-br', 'zh-hant-tw', ' EN '] });
    expect(languages).toEqual(['pt-BR', 'zh-Hant-TW', 'en']);
  });

  // The canonical form of an old tag can be longer than the tag.
  it.each(['sgn-BE-FR', 'i-klingon', 'zh-min-nan', 'art-lojban', 'en-GB-oed'])(
    'accept or reject the deprecated tag %s, without an internal error',
    async (tag) => {
      const body = { firstName: 'Ana', lastName: 'Silva', languages: [tag] };
      expect([201, 422]).toContain((await server().request('POST', '/agents', body)).status);
    },
  );

  it('are never longer than they may be, however they are written', async () => {
    const tag = fc.stringMatching(/^[a-z]{2,3}(-[A-Za-z]{4})?(-[a-z]{2})?(-u-[a-z]{2}-[a-z]{3,8}){0,2}$/);
    await fc.assert(
      fc.asyncProperty(tag, async (language) => {
        const body = { firstName: 'Ana', lastName: 'Silva', languages: [language] };
        expect([201, 422]).toContain((await server().request('POST', '/agents', body)).status);
      }),
      { numRuns: 50 },
    );
  });
});

const createWith = (email: string) =>
  server().request('POST', '/agents', { firstName: 'Ana', lastName: 'Reis', email });

it('an e-mail address is that of one agent, however it is typed, and is found so', async () => {
  expect((await createWith('jos\u00e9@x.example')).status).toBe(201);
  for (const same of ['jose\u0301@x.example', ' JOSE\u0301@x.example '])
    expect(await (await createWith(same)).json()).toMatchObject({ code: 'email_taken' });
  const found = await server().request('GET', `/agents?email=${encodeURIComponent('jose\u0301@x.example')}`);
  expect(await found.json()).toMatchObject({ items: [{ email: 'jos\u00e9@x.example' }] });
});

it('an e-mail address loses what is not seen around it', async () => {
  const created = await createWith('\u202aunseen@x.example\u200b\u202c');
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
    const response = await createWith(email);
    expect(response.status).toBe(422);
    const detail =
      'must be an email address such as ana@example.com, without invisible characters, angle quotes or : ; , ( )';
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '#/email', code: 'invalid_format', detail }],
    });
  },
);
