// For Fastify: no route of ours has a schema in its sense, since requests are read and answers written by the contract. Told so it
// does not load the compilers of such schemas, which are ninety modules.
import type { FastifyServerOptions } from 'fastify';

export const withoutSchemas = {
  compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
} satisfies FastifyServerOptions['schemaController'];

function noCompiler(): never {
  throw new Error('a route has a schema of Fastify: describe it in the contract instead');
}
