import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Bundles one export of an entry of the package for browsers. */
async function bundle(name: string, entryPoint = fileOf('index.ts')): Promise<OutputChunk> {
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
  expect(filesOf(chunk, '/packages/client/')).toEqual([fileOf('errors.ts')]);
  expect(filesOf(chunk, '/httpLink')).toEqual([]);
  expect(filesOf(chunk, '/httpBatchLink')).toEqual([]);
  expect(filesOf(chunk, '/splitLink')).toEqual([]);
  const whole = await bundle('createRosterClient');
  expect(filesOf(whole, '/httpBatchLink')).toHaveLength(1);
  expect(chunk.code.length).toBeLessThan(whole.code.length / 3);
});

it('the check of a form bundles nothing of tRPC and of the calls, and is small', async () => {
  const { modules, code } = await bundle('checkNew', fileOf('check.ts'));
  const files = Object.keys(modules).filter((path) => path !== '\0entry');
  expect(files.filter((path) => path !== fileOf('check.ts') && !path.startsWith(fileOf('check/')))).toEqual(
    [],
  );
  expect(gzipSync(code).length).toBeLessThan(5_000);
  // The fields of patches are left out.
  expect(code.length).toBeLessThan(16_000);
});
