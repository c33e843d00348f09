// Observability of the process: request log, /healthz, /readyz, /metrics.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { createDatabaseCheck } from '#app/health/database.ts';
import type { App } from '#app/app.ts';
import { ApiError } from '#lib/api-error.ts';
import { requestLines } from '#lib/performance/request-lines.ts';
import { version } from '#lib/version.ts';
import { createDurationHistogram } from './durations.ts';
import { readKey, requireSecondFactor } from '../request.ts';
import { addNameServerMetrics } from './name-server-metrics.ts';
import { addStateGauges } from './state-gauges.ts';
import { addWorkGauges } from './work-gauges.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route, because asking Fastify for it costs more than the log line. */
    observed: ObservedOperation | undefined;
  }
  interface FastifyInstance {
    /** Set when the process is asked to stop: a load balancer sees it at /readyz and stops sending requests. */
    stopping: boolean;
    metrics: Registry;
  }
}

export interface ObservedOperation {
  readonly operation: string;
  /** The route, never the URL: a query may contain secrets. */
  readonly route: string | undefined;
}

const eventLoopSampleMs = 50;

export async function addObservability(server: FastifyInstance, app: App): Promise<void> {
  const registry = new Registry();
  // The default of ten milliseconds costs an idle server a twentieth of its CPU time.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const help = 'Always 1. The label is the version of Hostyard';
  new Gauge({ name: 'hostyard_info', help, labelNames: ['version'], registers: [registry] }).set({ version }, 1);
  addWorkGauges(registry, app);
  addStateGauges(registry, app);
  addNameServerMetrics(registry, app);
  const observeDuration = createDurationHistogram(registry);
  const logRequest = requestLines(app.log);
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

  const isDatabaseAvailable = createDatabaseCheck(app);
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_, reply) => {
    if (server.stopping) return reply.code(503).send({ status: 'stopping' });
    const alive = await isDatabaseAvailable();
    return reply.code(alive ? 200 : 503).send({ status: alive ? 'ready' : 'database does not answer' });
  });
  server.get('/metrics', async (request, reply) => {
    await requireOperator(app, request);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function requireOperator(app: App, request: FastifyRequest): Promise<void> {
  const { operator, caller } = await app.authentication.admit(readKey(request, 'v2'), request.ip);
  if (operator === undefined) throw new ApiError('scope_missing');
  requireSecondFactor(caller.scopes);
}
