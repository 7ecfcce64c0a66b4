import { defineConfig } from 'vitest/config';
import { testsWith } from '../vitest.shared.ts';

/** The tests of the repository as a whole: its documents, recipes, packed packages, which are tried below node_modules, and structure. */
const { test } = testsWith('directory', { loader: 'vite' });
export default defineConfig({
  test: { ...test, include: ['{test,verify}/*.test.ts'] },
});
