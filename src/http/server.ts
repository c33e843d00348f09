// The HTTP server: routes from the contract, one error mapping, health checks, metrics and a graceful stop.
import { randomBytes } from 'node:crypto';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Method } from '#contract/endpoint.ts';
import { unavailableError } from '#app/health/database.ts';
import { logFailure } from '#app/operations/log-failure.ts';
import type { Caller } from '#app/caller.ts';
import type { App } from '#app/app.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { apiOfUrl, errorFormatOf, errorResponse } from './responses.ts';
import { readForm, readJson, readQuery, type Pairs } from './body.ts';
import { createAllowedMethods, type AllowedMethods } from './allowed-methods.ts';
import { proxyMatcher } from './client-address.ts';
import { limitConnections } from './connection-limit.ts';
import { createEventStreams } from './streams/event-stream.ts';
import { addConsoleSocket, isWebSocket } from './consoles/console-socket.ts';
import { handlers } from './handlers.ts';
import { createLegacyDeprecation } from './legacy-deprecation.ts';
import { createRateLimiter } from '#lib/rate-limits.ts';
import { addObservability } from './metrics/observe.ts';
import { addPanel } from './pages/panel.ts';
import { addSignedHooks } from './hooks.ts';
import { addUnsubscribe } from './pages/unsubscribe.ts';
import { addReference } from './pages/reference.ts';
import { createPipelines } from './pipelines.ts';
import { createRequestSteps, sendResponse, type AnyHandler, type SharedLimits, type UnreadBody } from './request.ts';
import { createRefusals } from './refusals.ts';
import { createBodyMemory } from './bodies-in-memory.ts';
import { createTurns } from './turns.ts';
import { createUnsentResponses } from './unsent-responses.ts';
import { createRouteTable, isReadOnly, methodsOf, type Operation, type RouteTable } from './routes.ts';
import { noSchemaCompilers } from './no-schema-compilers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The printable part of the key, for the log. */
    keyId: string | undefined;
    /** The caller, once authenticated. */
    caller: Caller | undefined;
  }
}

export interface HttpSettings {
  readonly trustedProxies: readonly string[];
}

const bodyLimitBytes = 1024 * 1024;
/** Far more than the people behind one address need. An open connection costs 10 KB. */
const connectionsPerAddress = 4000;

export async function createHttpServer(app: App, settings: HttpSettings): Promise<FastifyInstance> {
  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384, shouldUpgradeCallback: isWebSocket },
    // stop-server.ts handles stopping: requests on open connections are still served.
    return503OnClosing: false,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    genReqId: createRequestIds(),
    requestIdHeader: false,
    schemaController: noSchemaCompilers,
    rewriteUrl: ({ url = '' }) => withoutOrigin(url),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 4096,
      querystringParser: (text) => readQuery(text) as never,
    },
    // These errors happen before any hook runs.
    frameworkErrors: (error, request, reply) =>
      void sendError(app, error, request, reply.headers(commonHeaders(request)) as FastifyReply),
  });
  const isProxy = proxyMatcher(settings.trustedProxies);
  const addToPipeline = createPipelines(limitConnections(server.server, connectionsPerAddress, isProxy));
  server.decorateRequest('keyId', undefined);
  server.decorateRequest('caller', undefined);
  server.removeAllContentTypeParsers();
  addBodyReader(server, 'application/json', readJson);
  addBodyReader(server, 'application/x-www-form-urlencoded', readForm);
  const refuse = createRefusals();
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const send = (): void => void sendError(app, error, request, reply);
    if (error instanceof ApiError && error.status === 429) refuse(budgetNetwork(request.ip), send);
    else send();
  });
  const table = createRouteTable();
  const allowed = createAllowedMethods(table);
  function rejectPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = allowed.ofPath(pathOf(request));
    if (methods !== undefined) return rejectMethod(app, methods, request, reply);
    return sendError(app, new ApiError('not_found', { message: 'Path not found.' }), request, reply);
  }
  server.setNotFoundHandler(rejectPath);
  const takeTurn = createTurns();
  const takeBodyMemory = createBodyMemory();
  server.addHook('onRequest', (request, reply, done) => {
    // The caller has closed the connection already, which the type does not know.
    if ((request.ip as string | undefined) === undefined) return void reply.hijack();
    if (!addToPipeline(request.raw, reply.raw)) return void reply.hijack();
    reply.headers(commonHeaders(request));
    // While stopping, every response asks the client to reconnect, which leads it to another instance.
    if (server.stopping) reply.header('connection', 'close');
    const network = budgetNetwork(request.ip);
    takeTurn(network, () => {
      // Before the body is read, whose type does not matter then. Later hooks respond to preflight requests.
      if (request.is404 && request.method !== 'OPTIONS') return void rejectPath(request, reply);
      try {
        takeBodyMemory(network, announcedBytes(request), reply.raw);
        done();
      } catch (error) {
        done(error as ApiError);
      }
    });
  });

  const streams = createEventStreams(app);
  server.decorate('eventStreams', streams);
  server.addHook('onClose', async () => streams.end());
  await addObservability(server, app);
  await addReference(server);
  await addPanel(server);
  addConsoleSocket(server, app, settings.trustedProxies);
  await addSignedHooks(server, app);
  await addUnsubscribe(server, app);
  await addContractRoutes(server, app, table, allowed);
  return server;
}

function addBodyReader(server: FastifyInstance, type: string, read: (body: Buffer) => Pairs): void {
  // Read by the handler, after it has charged for the size.
  server.addContentTypeParser(type, { parseAs: 'buffer' }, async (_: unknown, body: Buffer): Promise<UnreadBody> => ({
    length: body.length,
    read: () => read(body),
  }));
}

/** Returns the memory that the body may need. One that comes in pieces can have any length. */
function announcedBytes(request: FastifyRequest): number {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return 0;
  const { bodyLimit = bodyLimitBytes } = request.routeOptions;
  const isUnknown = headers['transfer-encoding'] !== undefined;
  return isUnknown ? bodyLimit : Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}

async function addContractRoutes(
  server: FastifyInstance,
  app: App,
  table: RouteTable,
  allowed: AllowedMethods,
): Promise<void> {
  const limits = { limiter: createRateLimiter(() => performance.now()), unsent: createUnsentResponses() };
  const isForTools = ([, methods]: Route): boolean => [...methods.values()].some(({ api }) => api === 'automation');
  const routes = [...table];
  const others = routes.filter((route) => !isForTools(route));
  addRoutes(server, app, limits, others, allowed);
  await server.register(async (tools) => {
    // DNS tools send JSON under any content type, or under none.
    tools.removeAllContentTypeParsers();
    addBodyReader(tools, '*', readJson);
    addRoutes(tools, app, limits, routes.filter(isForTools), allowed);
  });
}

type Route = readonly [url: string, methods: ReadonlyMap<Method, Operation>];

function addRoutes(
  server: FastifyInstance,
  app: App,
  limits: SharedLimits,
  routes: readonly Route[],
  allowed: AllowedMethods,
): void {
  const deprecationHook = createLegacyDeprecation(app);
  for (const [url, methods] of routes) {
    for (const [method, operation] of methods) {
      const handler = (handlers[operation.api] as unknown as Record<string, AnyHandler>)[operation.name]!;
      const steps = createRequestSteps(app, limits, operation, url, handler);
      server.route({
        method,
        url,
        ...steps,
        ...(operation.api === 'legacy'
          ? { onRequest: [deprecationHook(operation.name) ?? [], steps.onRequest].flat() }
          : {}),
        exposeHeadRoute: isReadOnly(operation),
        bodyLimit: operation.endpoint.maxBodyBytes ?? bodyLimitBytes,
      });
    }
    const own = methodsOf(methods);
    const others = allowed.ofOverlapping(url).filter((method) => !own.includes(method));
    if (others.length > 0)
      server.route({
        method: others,
        url,
        exposeHeadRoute: false,
        handler: (request, reply) => rejectMethod(app, own, request, reply),
      });
  }
}

function rejectMethod(app: App, allowed: readonly string[], request: FastifyRequest, reply: FastifyReply) {
  return sendError(app, new ApiError('method_not_allowed'), request, reply.header('allow', allowed.join(', ')));
}

/** A request may name the whole URL, as to a proxy (RFC 9112, section 3.2.2). */
function withoutOrigin(url: string): string {
  if (url.startsWith('/')) return url;
  const rest = /^https?:\/\/[^/?]*(.*)$/i.exec(url)?.[1];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

function pathOf({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function commonHeaders(request: Pick<FastifyRequest, 'id'>): Record<string, string> {
  return { 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
}

/** Unique across processes and cheap: a random prefix and a counter. */
function createRequestIds(): () => string {
  const prefix = randomBytes(8).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/**
 * The only place that turns errors into responses. Errors other than ApiError are bugs, and their details go only to
 * the log.
 */
function sendError(app: App, error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = toApiError(error);
  logFailure(app.log, request.id, apiError);
  if (apiError.retryAfterSeconds !== undefined) reply.header('retry-after', apiError.retryAfterSeconds);
  return sendResponse(reply, errorResponse(errorFormatOf(apiOfUrl(request.url), request), apiError));
}

const fastifyErrors: Record<string, ConstructorParameters<typeof ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    { message: 'The length of the body does not match Content-Length.' },
  ],
  FST_ERR_BAD_URL: ['malformed_request', { message: 'The URL is malformed.' }],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_parameter', { message: 'A value in the path is too long.' }],
};

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = error as FastifyError;
  const mapped = fastifyErrors[code];
  if (mapped !== undefined) return new ApiError(...mapped);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('malformed_request', { cause: error });
  return unavailableError(error) ?? new ApiError('internal_error', { cause: error });
}
