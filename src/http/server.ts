// The HTTP server: routes from the contract, one error mapping, health and metrics, and an end that loses no request.
import { randomBytes } from 'node:crypto';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { effectOf } from '#contract/endpoint.ts';
import { unavailableFault } from '#app/health.ts';
import type { Caller } from '#app/caller.ts';
import type { Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { faceOf, faultAnswer, wantsProblem } from './answers.ts';
import { formPairs, jsonPairs, queryPairs } from './body.ts';
import { detectorHook } from './hooks/detector-hook.ts';
import { eventStreams } from './streams/event-stream.ts';
import { consoleSocket, isWebSocket } from './consoles/console-socket.ts';
import { handlers } from './handlers.ts';
import { legacyNotices } from './legacy-notice.ts';
import { budgets } from './limits.ts';
import { observe } from './metrics/observe.ts';
import { panel } from './pages/panel.ts';
import { paymentHook } from './hooks/payment-hook.ts';
import { reference } from './pages/reference.ts';
import { requestSteps, send, type AnyHandler } from './request.ts';
import { routeTable, type Operation } from './routes.ts';
import { withoutSchemas } from './without-schemas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The printable part of the key, for the log. */
    keyId: string | undefined;
    /** Who calls, once authenticated. */
    caller: Caller | undefined;
  }
}

export interface HttpSettings {
  readonly trustedProxies: readonly string[];
}

const bodyLimitBytes = 1024 * 1024;
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const;

export async function makeServer(yard: Yard, settings: HttpSettings): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384, shouldUpgradeCallback: isWebSocket },
    // Stopping is ours (stop.ts): requests on open connections are still answered.
    return503OnClosing: false,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    genReqId: requestIds(),
    requestIdHeader: false,
    schemaController: withoutSchemas,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 4096,
      querystringParser: (text) => queryPairs(text) as never,
    },
    // These come before every hook.
    frameworkErrors: (error, request, reply) =>
      void refuse(yard, error, request, reply.headers(headersOfAll(request)) as FastifyReply),
  });
  server.decorateRequest('keyId', undefined);
  server.decorateRequest('caller', undefined);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    jsonPairs(body),
  );
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => formPairs(body),
  );
  server.setErrorHandler((error: FastifyError, request, reply) => refuse(yard, error, request, reply));
  server.setNotFoundHandler((request, reply) =>
    refuse(yard, new Fault('not_found', { message: 'There is no such path.' }), request, reply),
  );
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfAll(request));
    // Once asked to stop, every answer asks its client to come back on a new connection, elsewhere.
    if (server.stopping) reply.header('connection', 'close');
    done();
  });

  const streams = eventStreams(yard);
  server.decorate('eventStreams', streams);
  server.addHook('onClose', async () => streams.end());
  await observe(server, yard);
  await reference(server);
  await panel(server);
  consoleSocket(server, yard, settings.trustedProxies);
  await detectorHook(server, yard);
  await paymentHook(server, yard);
  addContractRoutes(server, yard);
  return server;
}

function addContractRoutes(server: FastifyInstance, yard: Yard): void {
  const spend = budgets(() => performance.now());
  const noticeOf = legacyNotices(yard);
  for (const [url, methods] of routeTable()) {
    for (const [method, operation] of methods) {
      const handler = (handlers[operation.face] as unknown as Record<string, AnyHandler>)[operation.name]!;
      const steps = requestSteps(yard, spend, operation, url, handler);
      server.route({
        method,
        url,
        ...steps,
        ...(operation.face === 'legacy' ? { onRequest: [noticeOf(operation.name) ?? [], steps.onRequest].flat() } : {}),
        exposeHeadRoute: readsOnly(operation),
      });
    }
    const answered = new Set<string>(methods.keys());
    const get = methods.get('GET');
    if (get !== undefined && readsOnly(get)) answered.add('HEAD');
    const allow = [...answered].join(', ');
    server.route({
      method: everyMethod.filter((method) => !answered.has(method)),
      url,
      handler: (request, reply) => refuse(yard, new Fault('method_not_allowed'), request, reply.header('allow', allow)),
    });
  }
}

/** A HEAD would act as the GET does, and nobody would see what came of it. */
function readsOnly({ endpoint }: Operation): boolean {
  return effectOf(endpoint) === 'none';
}

function headersOfAll(request: Pick<FastifyRequest, 'id'>): Record<string, string> {
  return { 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
}

/** Unique over all processes and cheap to make: random once, then counted. */
function requestIds(): () => string {
  const prefix = randomBytes(8).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** The one place where an error becomes an answer. What is not a Fault is ours, and told only to the log. */
function refuse(yard: Yard, error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = faultOf(error);
  if (fault.status >= 500) {
    yard.log.error(
      { requestId: request.id, code: fault.code, internal: fault.internal, err: fault.cause ?? error },
      'request failed',
    );
  }
  if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds);
  return send(reply, faultAnswer(faceOf(request.url), wantsProblem(request.headers.accept), fault));
}

const faultOfFastify: Record<string, ConstructorParameters<typeof Fault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    { message: 'The body is not as long as Content-Length says.' },
  ],
  FST_ERR_BAD_URL: ['malformed_request', { message: 'The URL could not be read.' }],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_parameter', { message: 'A value in the path is too long.' }],
};

function faultOf(error: Error): Fault {
  if (error instanceof Fault) return error;
  const { code, statusCode } = error as FastifyError;
  const known = faultOfFastify[code];
  if (known !== undefined) return new Fault(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Fault('malformed_request', { cause: error });
  return unavailableFault(error) ?? new Fault('internal_error', { cause: error });
}
