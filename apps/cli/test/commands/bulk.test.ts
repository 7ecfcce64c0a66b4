import { expect, it } from 'vitest';
import { useBulkScene } from '../support/bulk-scene.ts';

const { newOffice, run, runTyping, titles } = useBulkScene();

it('a dry run shows the number and what would change, and changes nothing', async () => {
  const office = await newOffice();
  const filter = ['--office-id', office, '--q', 'ana'];
  const { exit, stdout } = await run([...filter, '--set', 'title=Broker', '--dry-run', '--json']);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    count: 1,
    samples: [{ name: 'Ana Sado', changes: [{ field: 'title', from: null, to: 'Broker' }] }],
  });
  expect(await titles(office)).toEqual([null, null, null]);
});

it('asks for the number by the name of the change', async () => {
  const office = await newOffice();
  const { exit, stderr } = await runTyping('no', ['--office-id', office, '--delete']);
  expect([exit, stderr]).toEqual([1, expect.stringContaining('Delete these agents? Type their number')]);
  expect(await titles(office)).toHaveLength(3);
});

it.each([
  [['--deactivate'], 'selects every record'],
  [['--status', 'active'], 'there is nothing to change'],
  [['--status', 'active', '--delete', '--deactivate'], 'a job makes one kind of change'],
  [['--status', 'active', '--deactivate', '--yes'], '--yes needs --expect'],
  [['--status', 'active', '--deactivate', '--expect', 'all', '--yes'], '--expect takes a number'],
  [['--status', 'active', '--set', 'title'], '--set takes field=value'],
  [['--status', 'active', '--set', 'tilte=x'], 'there is no field tilte'],
  [['--status', 'active', '--deactivate'], "can't ask for confirmation"],
])('rejects %j: %s', async (argv, message) => {
  const { exit, stderr } = await run(argv);
  expect(exit).not.toBe(0);
  expect(stderr).toContain(message);
});
