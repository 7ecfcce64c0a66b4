import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { pathWithRoster } from '../support/terminal.ts';

/** The completions of the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const { exit, stdout, stderr } = await runCli(['__complete', '--', ...words]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

describe('the completion candidates', () => {
  it.each([
    [['off'], ['offices']],
    [
      ['offices', 're'],
      ['reactivate', 'reopen-duplicate', 'restore', 'revert'],
    ],
    [['events', 't'], ['tail']],
    [
      ['events', 'tail', '--type', 'office.re'],
      ['office.reactivated', 'office.restored'],
    ],
    [['events', 'tail', '--type', 'office.created', '--t'], ['--type']],
    [['events', 'tail', '--jsonl', 'position,cur'], ['position,cursor']],
    [['agents', 'history', '--json', 'version,ch'], ['version,changes']],
    [['offices', 'list', '--columns', 'name,legal'], ['name,legalName']],
    [['agents', 'revert', '--t'], ['--to']],
    [['--url', 'http://a.example', 'keys', 'ro'], ['rotate']],
    [
      ['offices', 'create', '--phone'],
      ['--phone', '--phone-ext'],
    ],
    [['offices', 'create', '--phone', '1', '--phone'], ['--phone-ext']],
    [['offices', 'list', '--stat'], ['--status']],
    [['offices', 'list', '--status', 'active', '--stat'], ['--status']],
    [
      ['offices', 'list', '--status', ''],
      ['active', 'inactive'],
    ],
    [['offices', 'list', '--status=in'], ['--status=inactive']],
    [['agents', 'list', '--sort', '-last'], ['-lastName']],
    [['agents', 'list', '--sort', 'first'], ['firstName']],
    [
      ['keys', 'create', '--scope', 'offices:'],
      ['offices:read', 'offices:write'],
    ],
    [['offices', 'get', '--prof'], ['--profile']],
    [
      ['offices', 'get', '--json', 'name,stat'],
      ['name,status', 'name,statusReason', 'name,statusChangedAt'],
    ],
    [
      ['api', 'agents.re'],
      ['agents.reactivate', 'agents.reopenDuplicate', 'agents.restore', 'agents.revert'],
    ],
    [['api', 'offices.get', '--input', ''], [':files']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['offices', 'create', '--name', 'Lis'], []],
    [['offices', 'get', ''], []],
    [['nothing', 'of', 'this', '--x'], []],
  ])('for %j are %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });

  it('are all resources and commands for an empty line, without hidden commands', async () => {
    const all = await offered('');
    expect(all).toEqual(
      expect.arrayContaining(['offices', 'agents', 'events', 'keys', 'login', 'status', 'completion']),
    );
    expect(all).not.toContain('__complete');
  });
});

describe('completion', () => {
  it('prints a script for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { exit, stdout, stderr } = await runCli(['completion', shell]);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toContain('roster __complete -- ');
    }
  });

  it('suggests the closest name for an unknown shell', async () => {
    expect(await runCli(['completion', 'bahs'])).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'roster: completion: there is no completion for bahs\nDid you mean bash? Available are bash, zsh, fish.\n',
    });
  });
});

const PATH = pathWithRoster();

/** The completions that bash offers at the end of a line, which it splits into words itself. */
async function completedByBash(line: string): Promise<string[]> {
  const program = `
    set -e
    eval "$(roster completion bash)"
    COMP_LINE="$1" COMP_POINT=\${#1}
    # Words are cut at blanks, and at the signs bash cuts them at; each run of those is a word.
    COMP_WORDS=()
    while IFS= read -r word; do COMP_WORDS+=("$word"); done < <(grep -oE '[=:]+|[^[:blank:]=:]+' <<< "$1")
    [[ "$1" == *[[:blank:]] ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _roster
    printf '%s\\n' "\${COMPREPLY[@]}"
  `;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', program, 'bash', line], {
    env: { ...process.env, PATH },
  });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash', () => {
  it.each([
    ['roster of', ['offices']],
    ['roster offices deac', ['deactivate']],
    ['roster offices list --status ', ['active', 'inactive']],
    ['roster offices list --status=ac', ['active']],
    ['roster keys create --scope keys:', ['manage']],
    ['roster keys create --scope=agents:r', ['read']],
    ['roster agents list --json displayName,em', ['displayName,email']],
    ['roster offices get $(touch /nowhere/at/all) --deb', ['--debug']],
  ])('completes %j', async (line, expected) => {
    expect(await completedByBash(line)).toEqual(expected);
  });
});
