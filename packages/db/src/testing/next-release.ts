// Loaded before a server (`node --import`), it makes the next release of it: the same program with more migrations.
import { registerHooks } from 'node:module';

const released = new URL('../migrations/index.ts', import.meta.url).href;
const next = new URL('next-migrations.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    // What extends the released ones imports them itself.
    return found.url === released && context.parentURL !== next ? { ...found, url: next } : found;
  },
});
