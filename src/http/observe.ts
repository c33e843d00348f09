// What watches the process: request log, /healthz, /readyz, /metrics.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry, Histogram, collectDefaultMetrics } from 'prom-client';
import { databaseAnswers } from '#app/health.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { keyOf } from './request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: string;
  }
  interface FastifyInstance {
    /** Set when the process has been asked to stop: a balancer sees it at /readyz and sends nobody here any more. */
    stopping: boolean;
    metrics: Registry;
  }
}

export async function observe(server: FastifyInstance, yard: Yard): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'hostyard_http_request_seconds',
    help: 'Time to answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  server.decorate('stopping', false);
  server.decorate('metrics', registry);
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation ?? 'other';
    const seconds = reply.elapsedTime / 1000;
    duration.observe({ operation, status: reply.statusCode }, seconds);
    // The route, never the URL: a query may carry what must not stand in a log.
    yard.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        operation,
        status: reply.statusCode,
        ms: Math.round(seconds * 1e6) / 1000,
        keyId: request.keyId,
        address: request.ip,
      },
      'request',
    );
    done();
  });

  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_, reply) => {
    if (server.stopping) return reply.code(503).send({ status: 'stopping' });
    const alive = await databaseAnswers(yard);
    return reply.code(alive ? 200 : 503).send({ status: alive ? 'ready' : 'database does not answer' });
  });
  server.get('/metrics', async (request, reply) => {
    await admitOperator(yard, request);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function admitOperator(yard: Yard, request: FastifyRequest): Promise<void> {
  const admission = await yard.authentication.admit(keyOf(request, 'v2'), request.ip);
  if (admission.operator === undefined) throw new Fault('scope_missing');
}
