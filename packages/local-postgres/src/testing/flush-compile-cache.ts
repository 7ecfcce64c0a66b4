import { flushCompileCache } from 'node:module';

// Vitest's setup before each test file: shares a worker's compiled code with other packages at once, instead
// of minutes later when it ends.
flushCompileCache();
