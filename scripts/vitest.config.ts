// Read by Vitest when it runs the tests of this folder, of the repository as a whole: its documents, recipes, packed packages, which
// are tried below node_modules, and structure.
import { defineConfig } from 'vitest/config';
import { testsWith } from '../vitest.shared.ts';

const { test } = testsWith('directory', { loader: 'vite' });
export default defineConfig({
  test: { ...test, include: ['test/*.test.ts'] },
});
