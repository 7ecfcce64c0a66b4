import { compactEvents } from '@roster/api/testing';
import { describe, expect, it } from 'vitest';
import { runCli, withoutTimes } from '../support/run-cli.ts';
import { type Case, logged, useTestService } from '../support/test-service.ts';

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join('');

/** The service's own key, as the log names it. */
const ACTOR = '00000000-0000-0000-0000-000000000000';

const service = useTestService(async ({ client, name }) => {
  const { offices, agents } = client();
  const office = await offices.create.mutate({ name: 'Atlântico', metadata: { unit: '7' } });
  const { id } = office;
  await offices.update.mutate({ id, address: { city: '東京' }, licenses: [{ number: 'A1', region: '11' }] });
  await offices.update.mutate({
    id,
    address: { city: null, line1: 'a\tb' },
    metadata: { unit: null, x: '1' },
  });
  await offices.deactivate.mutate({ id, reason: 'Moved' });
  await offices.delete.mutate({ id });
  await logged(client(), id, 5);
  const agent = await agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
  await logged(client(), agent.id, 1);
  for (const [called, record] of Object.entries({ office, agent })) name(called, record);
});

const cases: Case[] = [
  [
    ['offices', 'history', '<office>'],
    'terminal',
    0,
    lines(
      `Version 1  <time>  office.created  by the service's own key`,
      '  status: – → active',
      '  name: – → Atlântico',
      '  metadata.unit: – → 7',
      `Version 2  <time>  office.updated  by the service's own key`,
      '  licenses: – → number=A1,region=11',
      '  address.city: – → 東京',
      `Version 3  <time>  office.updated  by the service's own key`,
      '  address.line1: – → a\\tb',
      '  address.city: 東京 → –',
      '  metadata.x: – → 1',
      '  metadata.unit: 7 → –',
      `Version 4  <time>  office.deactivated  by the service's own key  (Moved)`,
      '  status: active → inactive',
      '  statusReason: – → Moved',
      `Version 4  <time>  office.deleted  by the service's own key`,
    ),
    '',
  ],
  [
    ['offices', 'history', '<office>'],
    'pipe',
    0,
    lines(
      'position\tversion\toccurredAt\ttype\tactorId\tfield\tbefore\tafter',
      `1\t1\t<time>\toffice.created\t${ACTOR}\tstatus\t\tactive`,
      `1\t1\t<time>\toffice.created\t${ACTOR}\tname\t\tAtlântico`,
      `1\t1\t<time>\toffice.created\t${ACTOR}\tmetadata.unit\t\t7`,
      `2\t2\t<time>\toffice.updated\t${ACTOR}\tlicenses\t\tnumber=A1,region=11`,
      `2\t2\t<time>\toffice.updated\t${ACTOR}\taddress.city\t\t東京`,
      `3\t3\t<time>\toffice.updated\t${ACTOR}\taddress.line1\t\ta\\tb`,
      `3\t3\t<time>\toffice.updated\t${ACTOR}\taddress.city\t東京\t`,
      `3\t3\t<time>\toffice.updated\t${ACTOR}\tmetadata.x\t\t1`,
      `3\t3\t<time>\toffice.updated\t${ACTOR}\tmetadata.unit\t7\t`,
      `4\t4\t<time>\toffice.deactivated\t${ACTOR}\tstatus\tactive\tinactive`,
      `4\t4\t<time>\toffice.deactivated\t${ACTOR}\tstatusReason\t\tMoved`,
      `5\t4\t<time>\toffice.deleted\t${ACTOR}\t\t\t`,
    ),
    '',
  ],
  [
    ['offices', 'history', '<office>', '--jsonl', 'version,type,changes'],
    'terminal',
    0,
    lines(
      '{"version":1,"type":"office.created","changes":[{"field":"status","before":null,"after":"active"},{"field":"name","before":null,"after":"Atlântico"},{"field":"metadata.unit","before":null,"after":"7"}]}',
      '{"version":2,"type":"office.updated","changes":[{"field":"licenses","before":null,"after":[{"number":"A1","region":"11","type":null,"expiresOn":null}]},{"field":"address.city","before":null,"after":"東京"}]}',
      '{"version":3,"type":"office.updated","changes":[{"field":"address.line1","before":null,"after":"a\\tb"},{"field":"address.city","before":"東京","after":null},{"field":"metadata.x","before":null,"after":"1"},{"field":"metadata.unit","before":"7","after":null}]}',
      '{"version":4,"type":"office.deactivated","changes":[{"field":"status","before":"active","after":"inactive"},{"field":"statusReason","before":null,"after":"Moved"}]}',
      '{"version":4,"type":"office.deleted","changes":[]}',
    ),
    '',
  ],
  [
    ['agents', 'history', '<agent>', '--json', 'position,reason'],
    'pipe',
    0,
    `${JSON.stringify({ items: [{ position: 6, reason: null }] }, undefined, 2)}\n`,
    '',
  ],
  [
    ['offices', 'history', '<agent>'],
    'pipe',
    1,
    '',
    lines(
      `roster: offices history: No office has the ID ${'<agent>'.padEnd(36, '-')}`,
      'Find the ID with: roster offices list. Restore a deleted one with: roster offices restore <id>',
      'Request ID: <id>',
    ),
  ],
  [
    ['offices', 'history', 'x'],
    'pipe',
    2,
    '',
    lines(
      'roster: offices history: <id> must be a UUID',
      'roster offices history --help --all describes each field.',
      'Request ID: <id>',
    ),
  ],
];

describe('history', () => {
  it.each(cases)('%j on a %s exits with %i', async (argv, output, exit, stdout, stderr) => {
    expect(withoutTimes(await service.at(output, argv))).toEqual({ exit, stdout, stderr });
  });

  it('colours old values red and new values green', async () => {
    const { items } = await service.client().events.list.query({ types: ['office.deactivated'] });
    const { stdout } = await runCli(['offices', 'history', items[0]?.subject ?? ''], {
      url: service.url(),
      key: service.key(),
      output: 'terminal',
      color: true,
    });
    expect(stdout).toContain('  status: \u001b[31mactive\u001b[39m → \u001b[32minactive\u001b[39m\n');
  });

  it('says from which version on the log has it', async () => {
    const { id } = await service.client().offices.create.mutate({ name: 'Old' });
    await service.client().offices.update.mutate({ id, name: 'New' });
    await logged(service.client(), id, 2);
    await compactEvents(service.database().db, { now: new Date(Date.now() + 1_000), retentionDays: 0 });
    const { exit, stdout, stderr } = await service.at('pipe', ['offices', 'history', id]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'Versions before 2 are no longer in the log.\n' });
    expect(stdout).toMatch(/\tname\tOld\tNew\n$/);
  });
});
