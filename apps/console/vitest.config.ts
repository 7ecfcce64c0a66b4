import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const { test } = testsWith('database');
const build = join(import.meta.dirname, 'test/support/build.ts');

export default defineConfig({ test: { ...test, globalSetup: [test?.globalSetup ?? [], build].flat() } });
