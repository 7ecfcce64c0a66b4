import { expect, it } from 'vitest';
import { useBulkScene } from '../support/bulk-scene.ts';
import { runCli } from '../support/run-cli.ts';

const { url, key, client, newOffice, run, titles } = useBulkScene();

/** Gives three agents a title and a city by a job. Resolves to them and to the job. */
async function changedByJob() {
  const office = await newOffice();
  const argv = ['--office-id', office, '--set', 'title=Broker', '--set', 'address.city=Porto'];
  const { stdout } = await run([...argv, '--expect', '3', '--yes', '--wait', '--json', 'id']);
  const { items } = await client().agents.list.query({ officeId: office });
  return { office, agents: items, id: String(JSON.parse(stdout).id) };
}

const undo = (id: string, ...argv: string[]) =>
  runCli(['jobs', 'undo', id, ...argv], { url: url(), key: key(), output: 'terminal' });

it('jobs undo restores what still has the values of the job, and says what has changed since and to what', async () => {
  const { office, agents, id } = await changedByJob();
  const [first, second] = agents;
  await client().agents.update.mutate({ id: first?.id ?? '', bio: 'Sells houses' });
  await client().agents.update.mutate({ id: second?.id ?? '', title: 'Director' });
  const why = `  ${second?.id}: The agent was changed since: title is "Director", not "Broker".\n`;
  const tried = await undo(id, '--dry-run');
  expect([tried.exit, tried.stderr]).toEqual([
    0,
    expect.stringContaining('3 of 3 records would be restored.\n'),
  ]);
  expect(tried.stderr).toContain(`1 only in part:\n${why}Nothing was undone.\n`);
  const { exit, stderr } = await undo(id);
  expect(exit).toBe(1);
  expect(stderr).toContain(`Restored 3 agents; 1 of them only partly.\n${why}`);
  expect(await titles(office)).toEqual(agents.map((agent) => (agent === second ? 'Director' : null)));
});

it('jobs undo says that nothing can be undone if all of it has changed since', async () => {
  const { agents, id } = await changedByJob();
  for (const agent of agents)
    await client().agents.update.mutate({ id: agent.id, title: 'Director', address: { city: 'Faro' } });
  const tried = await undo(id, '--dry-run');
  expect(tried.stderr).toMatch(
    /^Nothing can be undone: no record would be restored\.\n3 of the first 3 could not be restored:\n/,
  );
  expect(tried.stderr).not.toContain('Sado');
  const { exit, stderr } = await undo(id);
  expect([exit, stderr]).toEqual([
    1,
    expect.stringContaining('Nothing was restored; 3 could not be restored.\n'),
  ]);
  expect(stderr).not.toContain('Undo it with');
});
