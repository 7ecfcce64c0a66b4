import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import { type Csdl, xml2json } from 'odata-csdl';
import { beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { resoOf } from '../support/http/reso.ts';
import { startTestServer } from '../support/index.ts';

let xml: string;
let document: Csdl;
beforeAll(async () => {
  await using server = await startTestServer();
  xml = await (await resoOf(server).send('GET', '/$metadata')).text();
  document = xml2json(xml, { strict: true, messages: [] });
});

const require = createRequire(import.meta.url);

/** A schema of the OData technical committee, which the package of its reader has. */
const schemaFile = (fileName: string) => {
  const contents = readFileSync(require.resolve(`odata-csdl/schemas/${fileName}`), 'utf8');
  return { fileName, contents };
};

/** What is wrong with a document by the XML schemas of OData 4.01. */
async function schemaErrors(contents: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'metadata.xml', contents }],
    schema: [schemaFile('edmx.xsd')],
    preload: [schemaFile('edm.xsd')],
  });
  return errors.map(({ message }) => message);
}

describe('the metadata document', () => {
  it('is valid by the XML schemas of the OData technical committee', async () => {
    expect(await schemaErrors(xml)).toEqual([]);
    expect(await schemaErrors(xml.replace('<Key>', '<Keys>').replace('</Key>', '</Keys>'))).toHaveLength(1);
  });

  it('is valid as JSON by the JSON schema of the same committee', () => {
    const csdlSchema: AnySchema = require('odata-csdl/schemas/csdl.schema.json');
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: true });
    formats.default(ajv);
    const validate = ajv.compile(csdlSchema);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...document, 'org.reso.metadata': { Member: { $Kind: 'EntityTyp' } } })).toBe(false);
  });
});
