import { defineConfig } from 'vitest/config';
import { browserLimits } from '../../apps/console/verify/support/patience.ts';
import { testsWith } from '../../vitest.shared.ts';

export default defineConfig({ test: { ...testsWith('database').test, ...browserLimits } });
