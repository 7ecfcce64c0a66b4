const SHEBANG_MAX = 127;

/** What a bundle begins with. */
interface Launch {
  /** What the program calls itself. */
  name: string;
  /** The oldest Node.js it runs on: `24`, or `22.12`. */
  node: string;
  /** The file that is imported then, beside the launcher. */
  entry: string;
  /** Flags of Node.js, when the file is executed by its name; `node main.js` runs it without them. */
  flags?: readonly string[];
  /** Variables that are set before Node.js starts, likewise. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * The first file of a bundle: JavaScript that every Node.js understands, because an older one ends in a SyntaxError as soon
 * as it reads the rest. It says in one sentence which version is wanted, and exits with 1.
 */
export function launcher({ name, node, entry, flags = [], environment = {} }: Launch): string {
  return `${shebang(flags, environment)}
var wanted = '${node}'.split('.').map(Number);
var has = process.versions.node.split('.').map(Number);
if (has[0] < wanted[0] || (has[0] === wanted[0] && has[1] < (wanted[1] || 0))) {
  process.stderr.write(
    '${name} needs Node.js ${node} or newer, and this is ' + process.version + ' (' + process.execPath + ').\\n',
  );
  process.exitCode = 1;
} else {
  await import('./${entry}');
}
`;
}

/**
 * The first line, by which the system starts the file; the shims that npm makes for Windows understand it too.
 * @throws Error if it is longer than Linux before 5.1 reads
 */
function shebang(flags: readonly string[], environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const words = [...variables, 'node', ...flags];
  const line = `#!/usr/bin/env ${words.length > 1 ? '-S ' : ''}${words.join(' ')}`;
  if (line.length > SHEBANG_MAX) throw new Error(`The first line has ${line.length} characters: ${line}`);
  return line;
}
