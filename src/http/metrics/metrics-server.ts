// /metrics once more, on a listener of its own, for who keeps that on a private network and wants no key there.
import { fastify, type FastifyInstance } from 'fastify';
import { withoutSchemas } from '../without-schemas.ts';
import type { ListenAddress } from '#kernel/config.ts';

export async function metricsServer(server: FastifyInstance, listen: ListenAddress): Promise<FastifyInstance> {
  const own = fastify({ schemaController: withoutSchemas });
  own.get('/metrics', async (_, reply) => reply.type(server.metrics.contentType).send(await server.metrics.metrics()));
  await own.listen(listen);
  return own;
}
