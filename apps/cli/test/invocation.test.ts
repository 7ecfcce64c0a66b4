import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, RosterError } from '@roster/client';
import { expect, it } from 'vitest';
import { resources } from '../src/contract/resources.ts';
import { hintFor } from '../src/ui/error-hints.ts';
import { runCli } from './support/run-cli.ts';

const inClone = { npm_lifecycle_event: 'roster', npm_package_name: 'roster-workspace' };
/** A command line as it is typed where roster is installed. */
const installed = /(?<!npm run -s )\broster (?=--? ?\w|<|[a-z])/;

it('the help of every command has, in a clone, the command lines that work there', async () => {
  const words = resources.flatMap(({ name, operations: own }) => own.map((operation) => [name, operation]));
  const outside = ['login', 'logout', 'whoami', 'status', 'api', 'open', 'mcp'].map((name) => [name]);
  for (const command of [[], ...words, ...outside]) {
    const { stdout } = await runCli([...command, '--help'], { env: inClone });
    expect(stdout).toContain(`Usage: npm run -s roster -- ${command.join(' ')}`.trim());
    expect(stdout).not.toMatch(installed);
  }
});

it('so have the errors of the command line', async () => {
  const stderr = async (argv: string[], env: Record<string, string>) => (await runCli(argv, { env })).stderr;
  const typo = ['agents', 'lsit'];
  expect(await stderr(typo, inClone)).toContain('npm run -s roster -- agents --help lists all commands');
  expect(await stderr(typo, {})).toContain('Did you mean list? roster agents --help lists all commands');
  const profile = ['agents', 'list', '--profile', 'none'];
  expect(await stderr(profile, inClone)).toContain(
    'Create it with: npm run -s roster -- login --profile none',
  );
  // The same script of another package runs an installed command.
  const elsewhere = { npm_lifecycle_event: 'roster', npm_package_name: 'other' };
  expect(await stderr(profile, elsewhere)).toContain('Create it with: roster login --profile none');
});

it('so has the advice about every error of the service', () => {
  const codes: ErrorCode[] = ['network', 'not_found', 'email_taken', 'reference_not_found', 'limit_reached'];
  for (const code of [...codes, 'version_conflict', 'unauthenticated', 'key_revoked'] as const) {
    const error = new RosterError({
      code,
      status: code === 'unauthenticated' ? 401 : 409,
      title: '',
      detail: '',
    });
    const failed = { command: 'agents update', resource: 'agents', connection: undefined };
    expect(hintFor(error, { ...failed, env: inClone })).toContain('npm run -s roster -- ');
    expect(hintFor(error, { ...failed, env: inClone })).not.toMatch(installed);
    expect(hintFor(error, { ...failed, env: {} })).toMatch(installed);
  }
});

it('no text of the sources names a command line without asking where it runs', () => {
  const directory = new URL('../src', import.meta.url).pathname;
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.test.ts') && !/examples|environment|completion/.test(file),
  );
  const named = files.flatMap((file) =>
    readFileSync(join(directory, file), 'utf8')
      .split('\n')
      .filter(
        (line) =>
          !/^\s*(?:\/\/|\/?\*)/.test(line) && /['"`].*\broster (?:[a-z]+ )?(?:[a-z-]+|\$\{)/.test(line),
      )
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(
    named,
    "write commandLine('status', env) instead of roster status: in a clone nothing is called roster",
  ).toEqual([]);
});
