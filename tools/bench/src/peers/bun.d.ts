/** What the peer of Bun uses of it; its own types are for all of its runtime, and would replace those of Node. */
declare module 'bun' {
  interface Tag {
    <Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
    /** The columns and values of an insert, or of an update. */
    (row: object): unknown;
    array(values: readonly unknown[], type: string): unknown;
    unsafe(text: string): unknown;
  }

  export class SQL {
    constructor(options: Record<string, unknown>);
    begin<Result>(run: (transaction: Tag) => Promise<Result>): Promise<Result>;
  }
  export interface SQL extends Tag {}

  export function serve(options: {
    port: number;
    hostname: string;
    routes: Record<string, Record<string, (request: BunRequest) => Promise<Response>>>;
    fetch?: (request: Request) => Response;
    error?: (error: Error) => Response;
  }): { port: number };

  export interface BunRequest extends Request {
    params: Record<string, string>;
  }
}
