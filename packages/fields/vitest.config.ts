import { defineConfig } from 'vitest/config';
import { testsWith } from '../../vitest.shared.ts';

export default defineConfig(testsWith('directory'));
