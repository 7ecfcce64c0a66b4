import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandTree, docsPages } from '../scripts/docs.ts';
import { examples } from '../src/commands/examples.ts';

const folder = new URL('../../../docs/', import.meta.url);
const reference = new URL('reference/', folder);
const pages = docsPages();

describe('the reference of the commands', () => {
  it.each(Object.keys(pages))('%s is up to date (`npm run generate`)', (name) => {
    expect(readFileSync(new URL(name, reference), 'utf8')).toBe(pages[name]);
  });

  it('shows only existing commands and options', () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const pages = names.filter((name) => name.endsWith('.md'));
    const texts = pages.map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const lines = texts.flatMap((text) => [...text.matchAll(/^roster .*$/gm)].map(([line]) => line));
    expect(lines.length).toBeGreaterThanOrEqual(
      Object.keys(examples).filter((name) => name.includes(' ')).length,
    );
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
