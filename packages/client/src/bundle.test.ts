import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const door = fileURLToPath(new URL('index.ts', import.meta.url));

/** What a bundler makes of one import from the door, for browsers. */
async function bundled(name: string): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: 'entry',
    platform: 'browser',
    // What no browser has would be left as an import, with a warning.
    onLog: (_, { message }) => expect.fail(message),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : undefined),
        load: (id) => (id === '\0entry' ? `export { ${name} } from ${JSON.stringify(door)};` : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  return output[0];
}

function filesOf({ modules }: OutputChunk, part: string): string[] {
  const used = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return used.map(([path]) => path).filter((path) => path.includes(part));
}

it('runs in a browser by itself: nothing of Node is imported, and nothing is left to import', async () => {
  const { imports, dynamicImports, code } = await bundled('createRosterClient');
  expect([...imports, ...dynamicImports]).toEqual([]);
  expect(code).not.toContain('node:');
});

it('brings with RosterError no other file of ours, and none of the links that call', async () => {
  const chunk = await bundled('RosterError');
  expect(filesOf(chunk, '/packages/client/')).toEqual([fileURLToPath(new URL('errors.ts', import.meta.url))]);
  expect(filesOf(chunk, '/httpLink')).toEqual([]);
  expect(filesOf(chunk, '/httpBatchLink')).toEqual([]);
  expect(filesOf(chunk, '/splitLink')).toEqual([]);
  const whole = await bundled('createRosterClient');
  expect(filesOf(whole, '/httpBatchLink')).toHaveLength(1);
  expect(chunk.code.length).toBeLessThan(whole.code.length / 3);
});
