import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandTree } from '../test/support/command-tree.ts';
import { runCli } from '../test/support/run-cli.ts';

const folder = new URL('../../../docs/', import.meta.url);

describe('the documents', () => {
  it('show only existing commands and options', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const pages = names.filter((name) => name.endsWith('.md'));
    const texts = pages.map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const lines = texts.flatMap((text) => [...text.matchAll(/^roster .*$/gm)].map(([line]) => line));
    expect(lines.length).toBeGreaterThan(20);
    // To build it takes longer than to compare a line.
    const program = commandTree();
    for (const line of lines) {
      const [, resource, operation] = line.split(' ');
      const top = program.commands.find((one) => one.name() === resource);
      const command =
        operation === undefined || top?.commands.length === 0
          ? top
          : top?.commands.find((one) => one.name() === operation);
      const known = [...(command?.options ?? []), ...program.options].map(({ long }) => long);
      const given = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
      expect(known, line).toEqual(expect.arrayContaining(given));
      expect(command, line).toBeDefined();
    }
  });
});

describe('the help of an import', () => {
  it.each([
    ['offices', 'name', 'OfficeName'],
    ['agents', 'licenses[0].number', 'MemberStateLicense'],
  ])(
    'lists the columns of %s with their names in the RESO Data Dictionary',
    async (resource, column, reso) => {
      const { stdout } = await runCli([resource, 'import', '--help']);
      expect(stdout.replaceAll(/ +/g, ' ')).toContain(`\n ${column} ${reso}\n`);
    },
  );
});
