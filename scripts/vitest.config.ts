import { defineConfig } from 'vitest/config';
import { testsWith } from '../vitest.shared.ts';

/**
 * The tests of the repository as a whole: its documents, recipes, packed packages and structure. Vite loads their modules, because
 * Node strips no types below node_modules, where the packed packages are tried.
 */
const { test } = testsWith('directory');
export default defineConfig({
  test: { ...test, experimental: {}, include: ['*.test.ts', 'verify/*.test.ts'] },
});
