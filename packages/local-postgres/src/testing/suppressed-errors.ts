/**
 * Vitest's setup before each test file: what a test fails with is shown even if the disposal of what it used fails afterwards.
 * A SuppressedError says neither of the two; as causes of it Vitest prints both, that of the test first.
 */
Object.defineProperty(SuppressedError.prototype, 'cause', {
  configurable: true,
  get(this: SuppressedError): unknown {
    const { error, suppressed } = this;
    if (suppressed instanceof Error && suppressed.cause === undefined) suppressed.cause = error;
    return suppressed;
  },
});
