import { buildConsole } from '../../../../scripts/packaging/console.ts';

/** Vitest's global setup: builds the console as it is shipped, unless it is built. Once for all files, before the first of them. */
export default function setup(): void {
  buildConsole();
}
