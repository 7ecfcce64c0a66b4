import { expect, it } from 'vitest';
import { useBulkScene } from '../support/bulk-scene.ts';

const { client, newOffice, run, runTyping, titles } = useBulkScene();

it('changes the records if as many match as expected, and waits for the end if told to', async () => {
  const office = await newOffice();
  const argv = [
    '--office-id',
    office,
    '--set',
    'title=Broker',
    '--set',
    'address.city=Porto',
    '--yes',
    '--wait',
  ];
  const other = await run([...argv, '--expect', '4']);
  expect([other.exit, other.stderr]).toEqual([1, expect.stringContaining('matches 3 records, not 4')]);
  expect(await titles(office)).toEqual([null, null, null]);
  const { exit, stdout, stderr } = await run([...argv, '--expect', '3', '--json', 'status,changed']);
  expect([exit, JSON.parse(stdout)]).toEqual([0, { status: 'completed', changed: 3 }]);
  expect(stderr).toMatch(/Changed 3 agents\.\nUndo it with: roster jobs undo [0-9a-f-]{36}\n$/);
  expect(await titles(office)).toEqual(['Broker', 'Broker', 'Broker']);
});

it('on a terminal it changes the records only if their number is typed', async () => {
  const office = await newOffice();
  const argv = ['--office-id', office, '--set', 'title=Broker'];
  for (const response of ['', 'y', '4', '33']) {
    const { exit, stderr } = await runTyping(response, argv);
    expect([response, exit]).toEqual([response, 1]);
    expect(stderr).toContain('3 agents match.\n');
    expect(stderr).toContain('Change these agents? Type their number to confirm: ');
    expect(stderr).toContain('the number does not match; nothing was changed');
  }
  expect(await titles(office)).toEqual([null, null, null]);
  expect((await runTyping('3', argv)).stderr).toContain('Changed 3 agents.');
  expect(await titles(office)).toEqual(['Broker', 'Broker', 'Broker']);
});

it('prints the job in a pipe without waiting, and the exit code of a job with errors is 1', async () => {
  const office = await newOffice();
  const [first, second] = (await client().agents.list.query({ officeId: office })).items;
  await client().offices.create.mutate({ name: 'Managed', managerAgentId: first?.id ?? null });
  const accepted = await run([
    '--office-id',
    office,
    '--deactivate',
    '--expect',
    '3',
    '--yes',
    '--json',
    'status,total',
  ]);
  expect([accepted.exit, JSON.parse(accepted.stdout).total]).toEqual([0, 3]);
  await expect
    .poll(async () => (await client().agents.get.query({ id: second?.id ?? '' })).status)
    .toBe('inactive');
  const deletion = await run([
    '--office-id',
    office,
    '--delete',
    '--expect',
    '3',
    '--yes',
    '--wait',
    '--json',
    'status',
  ]);
  expect([deletion.exit, JSON.parse(deletion.stdout)]).toEqual([1, { status: 'completed_with_errors' }]);
  expect(deletion.stderr).toContain(`${first?.id}: Other records refer to this agent (managerOf: 1).`);
});
