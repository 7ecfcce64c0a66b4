import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandTree, docsPages } from '../scripts/docs.ts';
import { examples } from '../src/commands/examples.ts';

const folder = new URL('../../../docs/', import.meta.url);
const pages = docsPages();

describe('the guide', () => {
  it.each(Object.keys(pages))(
    '%s says what the commands and schemas say (`npm run docs` brings it up to date)',
    (name) => {
      expect(readFileSync(new URL(name, folder), 'utf8')).toBe(pages[name]);
    },
  );

  it('has no page that leads nowhere, and none that nothing leads to', () => {
    const names = readdirSync(folder);
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    for (const name of names) if (name !== 'README.md') expect(index).toContain(`(${name})`);
    for (const name of names) {
      // What is printed as code is no link.
      const text = readFileSync(new URL(name, folder), 'utf8').replaceAll(
        /^```[\s\S]*?^```$|`[^`\n]*`/gm,
        '',
      );
      const links = text.matchAll(/\]\(([^)#:]+)(#[^)]*)?\)/g);
      for (const [, target = ''] of links)
        expect(existsSync(new URL(target, folder)), `${name}: ${target}`).toBe(true);
    }
  });

  it('shows only commands and options that there are', () => {
    const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const lines = texts.flatMap((text) => [...text.matchAll(/^roster .*$/gm)].map(([line]) => line));
    expect(lines.length).toBeGreaterThanOrEqual(
      Object.keys(examples).filter((name) => name.includes(' ')).length,
    );
    for (const line of lines) {
      const [, noun, verb] = line.split(' ');
      const command = commandTree()
        .commands.find((one) => one.name() === noun)
        ?.commands.find((one) => one.name() === verb);
      const known = [...(command?.options ?? []), ...commandTree().options].map(({ long }) => long);
      const given = [...line.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
      expect(known, line).toEqual(expect.arrayContaining(given));
      expect(command, line).toBeDefined();
    }
  });
});
