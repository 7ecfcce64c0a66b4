import { defineConfig, mergeConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

const early = defineConfig({ test: { globalSetup: ['test/support/require-generated.ts'] } });

export default mergeConfig(early, testsWith('database'));
