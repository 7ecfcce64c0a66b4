import { expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const { client, at, name } = useTestService();

/** An office with more agents than move in one transaction, and an empty one. */
async function newOffices() {
  const { offices, imports } = client();
  const [from, to] = [
    await offices.create.mutate({ name: 'Porto Foz' }),
    await offices.create.mutate({ name: 'Lisboa' }),
  ];
  const agent = { firstName: 'Ana', lastName: 'Reis', officeId: from.id };
  for (const count of [500, 500, 1])
    await imports.agents.mutate({ records: Array.from({ length: count }, () => agent) });
  name('from', from);
  name('to', to);
}

const transfer = ['offices', 'transfer-agents', '<from>', '--to-office-id', '<to>'];

it('offices transfer-agents follows the job of more than 1,000 agents on a terminal, and says how to undo it', async () => {
  await newOffices();
  const { exit, stderr } = await at('terminal', transfer);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('Changed 1,001 agents.\n')]);
  expect(stderr).toContain('Undo it with: roster jobs undo ');
});

it('offices transfer-agents prints the office with its job in a pipe, and with --wait the job that has ended', async () => {
  await newOffices();
  const jq = ['--jq', '[.moved, .job.total, .job.processed]'];
  const started = await at('pipe', [...transfer, ...jq]);
  expect([started.exit, JSON.parse(started.stdout)]).toEqual([0, [0, 1001, 0]]);
  await newOffices();
  const ended = await at('pipe', [...transfer, ...jq, '--wait']);
  expect([ended.exit, JSON.parse(ended.stdout)]).toEqual([0, [0, 1001, 1001]]);
});
