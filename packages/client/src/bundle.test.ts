import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const entryPoint = fileURLToPath(new URL('index.ts', import.meta.url));

/** Bundles one export of the package for browsers. */
async function bundle(name: string): Promise<OutputChunk> {
  const bundler = await rolldown({
    input: 'entry',
    platform: 'browser',
    // A module that browsers do not have would remain an import, with a warning.
    onLog: (_, { message }) => expect.fail(message),
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : undefined),
        load: (id) =>
          id === '\0entry' ? `export { ${name} } from ${JSON.stringify(entryPoint)};` : undefined,
      },
    ],
  });
  const { output } = await bundler.generate({ format: 'esm', minify: true });
  return output[0];
}

function filesOf({ modules }: OutputChunk, part: string): string[] {
  const used = Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0);
  return used.map(([path]) => path).filter((path) => path.includes(part));
}

it('the client bundles for browsers without imports of Node.js and without remaining imports', async () => {
  const { imports, dynamicImports, code } = await bundle('createRosterClient');
  expect([...imports, ...dynamicImports]).toEqual([]);
  expect(code).not.toContain('node:');
});

it('RosterError alone bundles no other file of the client and none of the links of tRPC', async () => {
  const chunk = await bundle('RosterError');
  expect(filesOf(chunk, '/packages/client/')).toEqual([fileURLToPath(new URL('errors.ts', import.meta.url))]);
  expect(filesOf(chunk, '/httpLink')).toEqual([]);
  expect(filesOf(chunk, '/httpBatchLink')).toEqual([]);
  expect(filesOf(chunk, '/splitLink')).toEqual([]);
  const whole = await bundle('createRosterClient');
  expect(filesOf(whole, '/httpBatchLink')).toHaveLength(1);
  expect(chunk.code.length).toBeLessThan(whole.code.length / 3);
});
