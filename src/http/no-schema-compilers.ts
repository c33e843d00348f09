// Fastify options without schema compilers: the contract validates requests and shapes responses, so no route has a
// Fastify schema. This saves loading ninety modules.
import type { FastifyServerOptions } from 'fastify';

export const noSchemaCompilers = {
  compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema },
} satisfies FastifyServerOptions['schemaController'];

function rejectSchema(): never {
  throw new Error('a route has a Fastify schema: describe it in the contract instead');
}
