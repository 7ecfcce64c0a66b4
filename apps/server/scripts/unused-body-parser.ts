import type { Plugin } from 'rolldown';

const NAME = 'co-body';

/** Leaves out the body parser of trpc-to-openapi, which gets bodies that Fastify has parsed. */
export const unusedBodyParser: Plugin = {
  name: 'unused-body-parser',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  load: (id) =>
    id === `\0${NAME}` ? `export default () => { throw new Error('Fastify parses the bodies'); };` : null,
};
