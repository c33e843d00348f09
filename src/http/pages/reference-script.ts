// Writes the script of the reference page, compressed, to its output. It is a program of its own because loading the
// package that carries the script costs 40 MB, which a server should not go on holding after it has the 1 MB it serves.
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import scalar from '@scalar/fastify-api-reference';

const server = fastify();
await server.register(scalar, { routePrefix: '/docs', configuration: { sources: [] } });
const { statusCode, body } = await server.inject('/docs/js/scalar.js');
await server.close();
if (statusCode !== 200) throw new Error(`The reference package answered ${statusCode} for its script`);
process.stdout.write(gzipSync(body, { level: 9 }));
