/** Vitest prints neither error of a SuppressedError; as its causes it prints both, the test's first. */
Object.defineProperty(SuppressedError.prototype, 'cause', {
  configurable: true,
  get(this: SuppressedError): unknown {
    const { error, suppressed } = this;
    if (suppressed instanceof Error && suppressed.cause === undefined) suppressed.cause = error;
    return suppressed;
  },
});
