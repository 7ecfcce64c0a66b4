// Preloaded into a server (`node --import`), this adds the migrations of a next release.
import { registerHooks } from 'node:module';

const released = new URL('../migrations/index.ts', import.meta.url).href;
const next = new URL('next-migrations.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    // The next migrations import the released ones, which must not resolve to themselves.
    return found.url === released && context.parentURL !== next ? { ...found, url: next } : found;
  },
});
