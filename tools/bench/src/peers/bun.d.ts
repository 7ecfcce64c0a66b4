/** What the peer of Bun uses of it; its own types are for all of its runtime, and would replace those of Node. */
declare module 'bun' {
  interface Tag {
    <Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
    /** The columns and values of an insert, or of an update. */
    (row: object): unknown;
    array(values: readonly unknown[], type: string): unknown;
    unsafe(text: string): unknown;
    begin<Result>(run: (transaction: Tag) => Promise<Result>): Promise<Result>;
  }

  export const SQL: new (options: object) => Tag;

  export type BunRequest = Request & { params: Record<string, string> };

  type Handler = (request: BunRequest) => Response | Promise<Response>;

  export function serve(options: {
    port: number;
    hostname: string;
    routes: Record<string, Record<string, Handler>>;
    fetch: Handler;
    error: (error: Error) => Response;
  }): { port: number };
}
