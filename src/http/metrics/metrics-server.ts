// /metrics on a separate listener, for private networks: it needs no key there.
import { fastify, type FastifyInstance } from 'fastify';
import { limitConnections } from '../connection-limit.ts';
import { noSchemaCompilers } from '../no-schema-compilers.ts';
import type { ListenAddress } from '#lib/config.ts';

/** Far more than the collectors behind one address need. */
const connectionsPerAddress = 100;

export async function startMetricsServer(server: FastifyInstance, listen: ListenAddress): Promise<FastifyInstance> {
  const metricsServer = fastify({ schemaController: noSchemaCompilers });
  limitConnections(metricsServer.server, connectionsPerAddress);
  metricsServer.get('/metrics', async (_, reply) =>
    reply.type(server.metrics.contentType).send(await server.metrics.metrics()),
  );
  await metricsServer.listen(listen);
  return metricsServer;
}
