// /metrics on a separate listener, for private networks: it needs no key there.
import { fastify, type FastifyInstance } from 'fastify';
import { noSchemaCompilers } from '../no-schema-compilers.ts';
import type { ListenAddress } from '#lib/config.ts';

export async function startMetricsServer(server: FastifyInstance, listen: ListenAddress): Promise<FastifyInstance> {
  const metricsServer = fastify({ schemaController: noSchemaCompilers });
  metricsServer.get('/metrics', async (_, reply) =>
    reply.type(server.metrics.contentType).send(await server.metrics.metrics()),
  );
  await metricsServer.listen(listen);
  return metricsServer;
}
