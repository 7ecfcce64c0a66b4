import { defineConfig } from 'vitest/config';
import { browserLimits } from '../../apps/console/test/support/patience.ts';
import { testsWith } from '../../vitest.shared.ts';

export default defineConfig({ test: { ...testsWith('database').test, ...browserLimits } });
