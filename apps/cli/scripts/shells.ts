import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { keys, pathWithRoster, startAt, type Terminal } from '../test/support/terminal.ts';

/** How to start a shell without the configuration of its user, and to enable completion. */
interface Shell {
  argv: string[];
  setup: string;
}

const shells: Record<string, Shell> = {
  bash: { argv: ['--norc', '-i'], setup: 'eval "$(roster completion bash)"' },
  zsh: {
    argv: ['-f', '-i'],
    setup: 'autoload -U compinit; compinit -u; eval "$(roster completion zsh)"',
  },
  fish: {
    argv: ['--no-config', '-i'],
    setup: 'roster completion fish | source',
  },
};

/** The typed text, and the words of the line after the tab key. */
const cases: [typed: string, words: string[]][] = [
  ['off', ['offices']],
  ['agents deac', ['agents', 'deactivate']],
  ['offices list --stat', ['offices', 'list', '--status']],
  ['offices list --status ina', ['offices', 'list', '--status', 'inactive']],
  ['offices list --status=ina', ['offices', 'list', '--status=inactive']],
  ['keys create --scope keys:', ['keys', 'create', '--scope', 'keys:manage']],
  ['agents list --json displayName,ema', ['agents', 'list', '--json', 'displayName,email']],
  ['api offices.cr', ['api', 'offices.create']],
];

const CTRL_A = '\u0001';

/** Types a line and the tab key, and prints its words. Throws if they differ. */
async function check(terminal: Terminal, [typed, words]: (typeof cases)[number]): Promise<void> {
  terminal.type(`roster ${typed}${keys.tab}`);
  terminal.type(`${CTRL_A}printf '<%s>' ${keys.enter}`);
  await terminal.sees(['roster', ...words].map((word) => `<${word}>`).join(''));
}

/** Runs the cases in a shell. Resolves to false if it is not installed. */
async function drive(name: string, { argv, setup }: Shell): Promise<boolean> {
  if (spawnSync(name, ['--version']).error !== undefined) return false;
  using terminal = startAt(name, argv, { PATH: pathWithRoster() });
  // The printed text differs from the typed one.
  terminal.type(`${setup}; echo rea''dy${keys.enter}`);
  await terminal.sees('ready');
  for (const one of cases) await check(terminal, one);
  return true;
}

for (const [name, shell] of Object.entries(shells)) {
  const isInstalled = await drive(name, shell);
  process.stdout.write(`${name}: ${isInstalled ? `${cases.length} lines completed` : 'not installed'}\n`);
}
