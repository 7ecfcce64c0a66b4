import { generateOpenApiDocument } from 'trpc-to-openapi';
import { definitions, namesText } from '../directory.ts';
import { forms, notBlank } from '../engine/fields/field.ts';
import { Problem } from '../errors/roster-error.ts';
import { describedRouter } from '../router.ts';
import { headerComponents, parameterComponents } from './headers.ts';
import { type OperationObject, operationObject, readsStream, streamObject } from './operation-objects.ts';
import { API_VERSION, operations, streams } from './operations.ts';
import { responseComponents } from './responses.ts';
import { withIntegerFormats, withOpenResponses } from './schemas.ts';

export { decodedSchema } from '../engine/json/raw-json.ts';
export { type Definition, procedures } from './operations.ts';

type Json = Record<string, unknown>;
interface Document extends Json {
  info: Json;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Json };
}

const introduction = `Roster is the directory of an organisation: its ${namesText}.

Every operation is also a typed procedure (tRPC, at \`/trpc\`), whose name is the \`operationId\` with a dot instead of the
hyphen. Every error response is a problem document (RFC 9457); the error codes are listed at [/docs/errors](/docs/errors).
Send a key with every request: \`Authorization: Bearer rst_…\`.`;

const tags = [
  ...definitions.map(({ texts: { title, description } }) => ({ name: title, description })),
  { name: 'Imports', description: 'Files of records, and many records in one request' },
  { name: 'Jobs', description: 'Changes of many records, which run in the background' },
  { name: 'Events', description: 'The log of all changes' },
  { name: 'Deleted records', description: 'Records that can be restored' },
  { name: 'Scheduled changes', description: 'Deactivations, reactivations and transfers at a later time' },
  { name: 'Stats', description: 'Counts of the whole directory' },
  { name: 'Webhooks', description: 'URLs that receive events, and their deliveries' },
  { name: 'Keys', description: 'API keys and their scopes' },
  { name: 'People', description: 'Who may sign in, and their roles' },
  { name: 'Invitations', description: 'Links by which people set up their first passkey' },
  { name: 'Passkeys', description: 'What people sign in with where there is no identity provider' },
  { name: 'Settings', description: 'The settings of the whole directory' },
  { name: 'Status', description: 'How the service is, for those who operate it' },
  { name: 'Views', description: 'Saved views of lists, private and shared' },
  { name: 'Sessions', description: 'Sign-ins of people and keys, and the caller itself' },
];

const securitySchemes = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rst_ and 51 more characters',
    description: 'A key with the scope that the operation names',
  },
};

/** The parts of all operations that describe requests. */
function requestParts(paths: Record<string, Record<string, Json>>): unknown {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ parameters, requestBody }) => [parameters ?? [], requestBody ?? {}]),
  );
}

export interface DocumentOptions {
  baseUrl: string;
  /** Whether webhooks may have http URLs, as a setting of the service allows. */
  isPlainHttpAllowed?: boolean;
}

/**
 * The OpenAPI 3.1 document of the service at `baseUrl`: the one of trpc-to-openapi, completed by statuses, headers, scopes,
 * named schemas and problems.
 */
export function openApiDocument({ baseUrl, isPlainHttpAllowed = false }: DocumentOptions): Json {
  const generated = generateOpenApiDocument(describedRouter, {
    title: 'Roster',
    description: introduction,
    version: API_VERSION,
    baseUrl,
    defs: { Problem },
  });
  const document: Document = JSON.parse(JSON.stringify(generated), (name, value) =>
    isPlainHttpAllowed && name === 'pattern' && value === forms.httpsUrl ? notBlank : value,
  );
  // The error schemas of trpc-to-openapi are never sent: every error response is a Problem.
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => !name.startsWith('error.')),
  );
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const object = document.paths[operation.path]?.[method];
    if (object === undefined) throw new Error(`${operation.procedure} is not in the document`);
    const completed = operationObject(operation, object, schemas);
    paths[operation.path] = { ...paths[operation.path], [method]: completed };
  }
  for (const stream of streams) {
    const [resource] = stream.procedure.split('.');
    const list = paths[`/${resource}`]?.get?.parameters;
    paths[stream.path] = { get: streamObject(stream, Array.isArray(list) ? list : []) };
  }
  return withIntegerFormats({
    ...document,
    info: {
      ...document.info,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    security: [{ key: [] }],
    tags,
    paths,
    components: {
      schemas: withOpenResponses(schemas, requestParts(paths)),
      securitySchemes,
      responses: responseComponents([
        ...operations,
        ...streams.map(({ errors }) => ({ ...readsStream, errors })),
      ]),
      headers: headerComponents,
      parameters: parameterComponents,
    },
  });
}
