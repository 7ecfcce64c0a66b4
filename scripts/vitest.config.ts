import { defineConfig } from 'vitest/config';
import { testsWith } from '../vitest.shared.ts';

/** The tests of the repository as a whole: its documents, recipes, packed packages and structure. */
const { test } = testsWith('directory');
export default defineConfig({ test: { ...test, include: ['*.test.ts', 'verify/*.test.ts'] } });
