/**
 * What a launcher of the server passes to Node.js: 16 MiB for each half of the young generation, and a collection of the old
 * one when it is 60 % larger than after the last one. Measured in docs/adr/0017-memory-flags.md.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=60'];

/** The environment in which it starts Node.js: glibc keeps one heap for all threads, and returns more than 3 MB free at its end. */
export const MALLOC_SETTINGS = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '3000000' };
