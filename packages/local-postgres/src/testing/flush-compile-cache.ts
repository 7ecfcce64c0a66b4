import { flushCompileCache } from 'node:module';

// Vitest's setup before each test file: what a worker has compiled is there for those of other packages at once, and not at its end,
// which is minutes later.
flushCompileCache();
