import { dirname } from 'node:path';
import process from 'node:process';

const program = `
  const { pid, argv, execArgv: flags, env } = process;
  if (!/[/](scripts|node_modules)[/]/.test(argv[1])) {
    const malloc = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('MALLOC_')));
    process.stdout.write(JSON.stringify({ pid, flags, malloc }) + '\\n', () => process.exit(0));
    await new Promise(() => {});
  }
`;

/**
 * An environment in which Node.js, however it is started, writes its process id, its flags and the settings of malloc to
 * stdout as JSON, and exits before it runs a program; the scripts and tools that a launcher runs before, it runs. A launcher is tested
 * with it.
 */
export function tellingLaunch(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
  };
}
