import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const { test } = testsWith('directory');
// The bench has an install of its own, which its tests need nothing of.
export default defineConfig({
  test: { ...test, include: ['src/**/*.test.ts', '../bench/src/**/*.test.ts'] },
});
