import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

/** A service that no test here may reach. */
const nowhere = { url: 'http://127.0.0.1:1', key: 'k' };

const notUtf8 = Buffer.from('{\n"name":"Caf\xe9"}', 'latin1');

describe('what would be lost or replaced is an error of the command line', () => {
  it.each([
    ['--data', ['offices', 'create', '--no-check', '--data', '-']],
    ['--input', ['api', 'offices.create', '--input', '-']],
    ['--with-key', ['login', '--with-key']],
  ])('bytes of stdin that are not UTF-8: %s', async (_, argv) => {
    const { exit, stderr } = await runCli(argv, { ...nowhere, input: notUtf8 });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('stdin is not UTF-8: byte 12 of line 2\n')]);
  });

  it.each([
    ['--data', (file: string) => ['offices', 'create', '--no-check', '--data', `@${file}`]],
    ['--input', (file: string) => ['api', 'offices.create', '--input', file]],
  ])('bytes of a file that are not UTF-8: %s', async (_, argvOf) => {
    const directory = await mkdtemp(join(tmpdir(), 'roster-lossless-'));
    try {
      const file = join(directory, 'd.json');
      await writeFile(file, notUtf8);
      const { exit, stderr } = await runCli(argvOf(file), nowhere);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringContaining('d.json is not UTF-8: byte 12 of line 2\n'),
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.each([
    ['--data: name', ['offices', 'create', '--data', '{"name":"d1","n\\u0061me":"d2"}']],
    ['--data: address.city', ['offices', 'create', '--data', '{"address":{"city":"A","city":"B"}}']],
    ['--data: bio', ['offices', 'bulk', '--data', '{"bio":"A","bio":"B"}']],
    ['the input: name', ['api', 'offices.create', '{"name":"A","name":"B"}']],
    ['--license: number', ['offices', 'create', '--name', 'x', '--license', 'number=1,number=2']],
    ['--metadata: a', ['offices', 'create', '--name', 'x', '--metadata', 'a=1', '--metadata', 'a=2']],
    ['--set: name', ['offices', 'bulk', '--set', 'name=A', '--set', 'name=B']],
    ['--map and --ignore: A', ['offices', 'import', '-', '--map', 'A=name', '--ignore', 'A']],
    ['--dates: A', ['agents', 'import', '-', '--dates', 'A=iso', '--dates', 'A=day-first']],
  ])('a member that is given twice: %s', async (place, argv) => {
    const { exit, stderr } = await runCli(argv, nowhere);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`${place} is given twice\n`)]);
  });

  it('a number that JSON.parse makes infinite, which would be sent as null', async () => {
    const { exit, stderr } = await runCli(['offices', 'create', '--data', '{"bio":-1e999}'], nowhere);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--data: bio is a number out of range\n')]);
  });

  it.each([
    ['--name <text>', ['offices', 'create', '--name', 'a', '--name', 'b']],
    ['--branch-type <text>', ['offices', 'create', '--branch-type', 'main', '--branch-type', 'branch']],
    ['--data <json>', ['offices', 'create', '--data', '{}', '--data={}']],
    ['--json [fields]', ['offices', 'list', '--json', 'id', '--json', 'name']],
    ['--url <url>', ['--url', 'http://a.example', 'offices', 'list', '--url', 'http://b.example']],
  ])('an option with one value that is given twice: %s', async (flags, argv) => {
    const { exit, stderr } = await runCli(argv, nowhere);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`option '${flags}' is given twice\n`)]);
  });
});
