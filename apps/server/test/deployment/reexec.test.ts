import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const lean = new URL('../../src/process/reexec.ts', import.meta.url);
const program = `
  import { startLean } from ${JSON.stringify(lean.href)};
  startLean();
  const { execArgv, argv, env, pid } = process;
  console.log(JSON.stringify({ pid, flags: execArgv, arguments: argv.slice(1), arenas: env.MALLOC_ARENA_MAX }));
`;

/** What a program says of itself that starts lean. */
async function started({
  flags = [],
  environment = {},
  isTalking = false,
}: {
  flags?: string[];
  environment?: Record<string, string>;
  isTalking?: boolean;
}) {
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', program, 'given'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(isTalking ? (['ipc'] as const) : [])],
  });
  const [said] = await Promise.all([text(child.stdout as NodeJS.ReadableStream), once(child, 'exit')]);
  return { ...JSON.parse(said), isSame: JSON.parse(said).pid === child.pid };
}

const ours = ['--max-semi-space-size=16', '--heap-growing-percent=60'];

it('begins again as the same process, with its flags and arguments and less memory', async () => {
  const { flags, ...said } = await started({ flags: ['--enable-source-maps'] });
  expect(flags).toEqual(expect.arrayContaining([...ours, '--enable-source-maps']));
  expect(said).toMatchObject({ isSame: true, arguments: ['given'], arenas: '1' });
});

it.each([
  ['as a flag', { flags: ['--max-old-space-size=2048'] }],
  ['in the environment', { environment: { NODE_OPTIONS: '--max-semi-space-size=64' } }],
])('leaves the memory as it was asked for %s', async (_, asked) => {
  const { flags, arenas } = await started(asked);
  expect(flags).not.toEqual(expect.arrayContaining(ours));
  expect(arenas).toBeUndefined();
});

it('leaves what the environment says of malloc', async () => {
  const { flags, arenas } = await started({ environment: { MALLOC_ARENA_MAX: '4' } });
  expect(flags).toEqual(expect.arrayContaining(ours));
  expect(arenas).toBe('4');
});

it('keeps the channel to a parent, which would be lost', async () => {
  expect((await started({ isTalking: true })).flags).not.toEqual(expect.arrayContaining(ours));
});
