import { commands } from '../../apps/server/src/cli/commands.ts';
import { page, table } from './markdown.ts';

/** The reference page of `roster-server`, as Markdown: every command with the text of its `--help`. */
export function serverCommandsPage(): string {
  const rows = commands.map(({ name, summary }) => [`[\`${name}\`](#${name})`, summary]);
  return page('roster-server', [
    `\`roster-server\` is the command of the server. In a clone it is \`npm run -s server -- <command>\`, in the bundle
\`node main.js <command>\`; without a command it is \`serve\`. It reads its [settings](settings.md) from the environment.`,
    table(['command', 'what it does'], rows),
    `Exit codes: 0 success, 1 failure, 2 the command line is wrong, 130 and 143 interrupted by SIGINT and SIGTERM.`,
    ...commands.map(({ name, usage }) => `## ${name}\n\n\`\`\`text\n${usage}\n\`\`\``),
  ]);
}
