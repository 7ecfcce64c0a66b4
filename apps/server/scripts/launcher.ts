/** What a bundle begins with. */
interface Launch {
  /** What the program calls itself. */
  name: string;
  /** The oldest Node.js it runs on: `24`, or `22.12`. */
  node: string;
  /** The file that is imported then, beside the launcher. */
  entry: string;
}

/**
 * The first file of a bundle: JavaScript that every Node.js understands, because an older one ends in a SyntaxError as soon
 * as it reads the rest. It says in one sentence which version is wanted, and exits with 1.
 */
export function launcher({ name, node, entry }: Launch): string {
  return `#!/usr/bin/env node
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
