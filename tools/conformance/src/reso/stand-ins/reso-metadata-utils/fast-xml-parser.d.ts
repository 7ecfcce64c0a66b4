/** What is used of it: the suite brings it along, and nothing of the workspace has it. */
declare module 'fast-xml-parser' {
  export class XMLParser {
    constructor(options: object);
    parse(xml: string): unknown;
  }
}
