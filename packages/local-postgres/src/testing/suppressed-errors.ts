/**
 * Vitest's setup before each test file: shows a test's error even if disposal fails afterwards. Vitest prints
 * neither for a SuppressedError; as its causes it prints both, the test's first.
 */
Object.defineProperty(SuppressedError.prototype, 'cause', {
  configurable: true,
  get(this: SuppressedError): unknown {
    const { error, suppressed } = this;
    if (suppressed instanceof Error && suppressed.cause === undefined) suppressed.cause = error;
    return suppressed;
  },
});
