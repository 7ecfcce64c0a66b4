declare module 'pg/lib/utils.js' {
  const conversion: {
    /** A JavaScript value in PostgreSQL's text format, or bytes for its binary format. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default conversion;
}
