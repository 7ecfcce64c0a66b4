// Modules of node-postgres that @types/pg does not declare. pg-internals.test.ts checks them against the installed version.

declare module 'pg/lib/utils.js' {
  const utils: {
    /** A JavaScript value in PostgreSQL's text format, or bytes for its binary format. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}

declare module 'pg/lib/query.js' {
  /** The class itself, without its methods, all of which the subclasses in this directory replace. */
  export default class Query {
    constructor(text: string);
  }
}
