// What watches the process: request log, /healthz, /readyz, /metrics.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { databaseAnswers } from '#app/health.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { requestLines } from '#kernel/log.ts';
import { durations } from './durations.ts';
import { jobGauges } from './job-gauges.ts';
import { keyOf } from '../request.ts';
import { stateGauges } from './state-gauges.ts';
import { workGauges } from './work-gauges.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Which operation it is, told by its route: Fastify's own way to ask costs more than the log line. */
    observed: Observed | undefined;
  }
  interface FastifyInstance {
    /** Set when the process has been asked to stop: a balancer sees it at /readyz and sends nobody here any more. */
    stopping: boolean;
    metrics: Registry;
  }
}

export interface Observed {
  readonly operation: string;
  /** The route, never the URL: a query may carry what must not stand in a log. */
  readonly route: string | undefined;
}

export async function observe(server: FastifyInstance, yard: Yard): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  jobGauges(registry, yard);
  workGauges(registry, yard);
  stateGauges(registry, yard);
  const observeDuration = durations(registry);
  const logRequest = requestLines(yard.log);
  server.decorate('stopping', false);
  server.decorate('metrics', registry);
  server.decorateRequest('observed', undefined);
  server.addHook('onResponse', (request, reply, done) => {
    const { operation, route } = request.observed ?? { operation: 'other', route: request.routeOptions.url };
    const seconds = reply.elapsedTime / 1000;
    observeDuration(operation, reply.statusCode, seconds);
    logRequest({
      requestId: request.id,
      method: request.method,
      route,
      operation,
      status: reply.statusCode,
      ms: Math.round(seconds * 1e6) / 1000,
      keyId: request.keyId,
      address: request.ip,
    });
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
