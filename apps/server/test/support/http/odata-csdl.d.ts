/** The converter of CSDL from XML to JSON by the OData technical committee, which comes without types. */
declare module 'odata-csdl' {
  export type Csdl = Record<string, Record<string, Record<string, unknown>>>;
  export function xml2json(xml: string, options: { strict: boolean; messages: unknown[] }): Csdl;
}
