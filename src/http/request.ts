// The steps of a request: authenticate → rate limit → read parameters → execute → envelope.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServedApi } from '#contract/contract.ts';
import {
  costOf,
  effectOf,
  fieldPermissions,
  isReading,
  needsProof,
  type Effect,
  type Endpoint,
} from '#contract/endpoint.ts';
import type { FileContent } from '#contract/shapes/file.ts';
import { isPermission, type Permission } from '#contract/roles.ts';
import { worksWhileSuspended } from '#contract/scopes.ts';
import type { Admission } from '#app/account/authentication.ts';
import { requireProof } from '#app/account/proofs.ts';
import type { ApiResponse, Operation as AppOperation, Work } from '#app/operations/call.ts';
import { execute } from '#app/operations/execute.ts';
import { readContext } from '#app/operations/context.ts';
import type { Caller } from '#app/caller.ts';
import type { Context, Visitor, App } from '#app/app.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { errorFormatOf, errorResponse, successResponse } from './responses.ts';
import type { Pairs } from './body.ts';
import { encodeInPieces } from '#lib/text-pieces.ts';
import { sendInPieces } from './files/pieces.ts';
import { acceptsStream } from './streams/event-stream.ts';
import type { Limits, RateLimiter } from '#lib/rate-limits.ts';
import { findPageOrigin } from './page-origin.ts';
import { proxyHeaderReader } from './proxy-headers.ts';
import { clearSessionCookie, keepInCookie, readSessionCookie, requireOwnPage } from './session-cookie.ts';
import { createInputPreparer } from './input-preparation.ts';
import { readIdempotencyKey, parameterReaderOf, type Input } from './parameters.ts';
import type { Operation } from './routes.ts';
import type { UnsentResponses } from './unsent-responses.ts';
import { requireUnlimited } from '#app/dns/limits.ts';
import { zonePublishing } from '#app/dns/publishing.ts';

export type AnyHandler = (context: Context & Visitor, input: Input) => unknown;
/** Every sign-in hashes a password, so clients without a key get a low limit per address. */
const visitorLimits = { rate: 2, burst: 20 };

const wrongKeyMessages = {
  customer: 'This is a customer key. The operator API needs a staff key.',
  staff: 'This is a staff key, which works only in the operator API. Use a customer key.',
} as const;

/** A string, or something outside the envelope: an event stream or a file. */
type Body = string | Readable | Buffer;

/** Of all routes together. */
export interface SharedLimits {
  readonly limiter: RateLimiter;
  readonly unsent: UnsentResponses;
}

/** Reading a body that turns out to be malformed takes as long as reading any other. */
export interface UnreadBody {
  readonly length: number;
  read(): Pairs;
}

export interface RequestSteps {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => Promise<void> | undefined;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<Body>;
}

export function createRequestSteps(
  app: App,
  { limiter, unsent }: SharedLimits,
  operation: Operation,
  route: string,
  handler: AnyHandler,
): RequestSteps {
  const { api, name, endpoint } = operation;
  const read = parameterReaderOf(api, endpoint);
  const prepareInput = createInputPreparer(endpoint);
  const operationName = `${api}.${name}`;
  const effect = effectOf(endpoint);
  const hasGuardedFields = fieldPermissions(endpoint, Object.keys(endpoint.params)).length > 0;
  const observed = { operation: operationName, route };
  /** Set by the first large body or response. Other endpoints need not look at that budget. */
  let isLarge = false;

  /** Continues synchronously if the key is cached, which is the usual case. */
  function onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined {
    request.observed = observed;
    if (endpoint.access === 'public') {
      enforceRateLimit(limiter, reply, visitorBucket(request), visitorLimits);
    } else {
      const admission = app.authentication.admit(readKeyOrCookie(request, api), request.ip);
      if (admission instanceof Promise) return admission.then((loaded) => admitCaller(request, reply, loaded));
      admitCaller(request, reply, admission);
    }
    done();
    return undefined;
  }

  function admitCaller(request: FastifyRequest, reply: FastifyReply, admission: Admission): void {
    request.keyId = admission.printableId;
    const { caller, limits } = admission;
    const cost = requestCost(endpoint, request);
    if ((cost > 1 || effect !== 'none') && caller.operator === undefined)
      chargeAccount(reply, caller.account, limits, cost);
    // Only once the account has made up for the large bodies and responses of this endpoint or another.
    if (isLarge && caller.operator === undefined)
      enforceRateLimit(limiter, reply, accountBucket('sizes', caller.account, limits), limits, 0);
    enforceRateLimit(limiter, reply, admission.printableId, limits, cost);
    authoriseSession(caller, endpoint);
    authoriseDnsLimits(caller, endpoint);
    // Operator keys work only in the operator API, and customer keys only in the others.
    if ((caller.operator !== undefined) !== (api === 'operator'))
      throw new ApiError('scope_missing', { message: wrongKeyMessages[api === 'operator' ? 'customer' : 'staff'] });
    // For such endpoints the parameters decide between reading and changing, and they are not known yet.
    const isUndecided = endpoint.reading !== undefined && caller.scopes.has(endpoint.reading.access);
    if (!isUndecided) authorise(caller, endpoint.access, endpoint.reading === undefined ? effect : 'none');
    const proxyHeader = proxyHeaderReader(request);
    request.caller = { ...caller, requestId: request.id, origin: findPageOrigin(request), proxyHeader };
  }

  /**
   * An account can have a thousand keys, so changes and expensive calls share one budget, which the most expensive
   * overdraw.
   */
  function chargeAccount(reply: FastifyReply, account: number, limits: Limits, cost: number): void {
    const name = accountBucket('calls', account, limits);
    enforceRateLimit(limiter, reply, name, limits, cost);
    if (cost > limits.burst) limiter(name, limits, cost - limits.burst, 'always');
  }

  /** Resolves to the body rather than the reply, because Fastify would wait for a reply to be sent. */
  async function onHandler(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
    const body = request.body as UnreadBody | undefined;
    const bodyBytes = body?.length ?? 0;
    // What else charges for its body has done so before it was read.
    if (bodyBytes >= charactersPerUnit && endpoint.costPerKilobyte === undefined)
      await chargeForSize(request, bodyBytes);
    const input = read([
      Object.entries(request.params as Record<string, unknown>),
      request.query as Pairs,
      body?.read() ?? [],
    ]);
    const actualEffect = isReading(endpoint, input) ? 'none' : effect;
    if (endpoint.reading !== undefined && actualEffect !== 'none')
      authorise(request.caller!, endpoint.access, actualEffect);
    if (endpoint.streams === true && acceptsStream(request))
      return request.server.eventStreams.open(request, reply, {
        name,
        access: endpoint.access,
        keyText: readKeyOrCookie(request, api),
        input,
      });
    const { caller } = request;
    let response: ApiResponse;
    if (caller !== undefined && actualEffect !== 'none') {
      unsent.requireRoom(caller.account);
      const call = { ...describeOperation(request, input), effect: actualEffect };
      response = await execute({ app, caller, operation: call, work: createWork(request, caller, input) });
      if (endpoint.session === 'ends' && readKey(request, api) === '') clearSessionCookie(reply, api);
    } else {
      const context =
        caller === undefined ? visitorOf(request) : readContext(app, caller, operationName, endpoint.history === true);
      if (hasGuardedFields && caller !== undefined) authoriseFields(caller, endpoint, input);
      const opensCookie = endpoint.session === 'opens' && input['cookie'] === true;
      if (opensCookie) requireOwnPage(request);
      const handled = await handler(context as never, input);
      const result = opensCookie ? keepInCookie(reply, api, handled as { readonly key: string }) : handled;
      if (endpoint.file !== undefined) {
        setFileHeaders(reply, endpoint.file, result as FileContent);
        return sendFileBody(reply, caller, result as FileContent);
      }
      response = await successResponse(endpoint, result);
    }
    reply.code(response.status).header('content-type', response.type);
    const { length } = response.long ?? response.body;
    if (length < charactersPerUnit) return response.body;
    if (caller !== undefined) await chargeForSize(request, length);
    return sendLarge(reply, caller, await (response.long?.encode() ?? encodeInPieces([response.body])), actualEffect);
  }

  function visitorOf(request: FastifyRequest): Visitor {
    return {
      app,
      address: request.ip,
      requestId: request.id,
      origin: findPageOrigin(request),
      userAgent: request.headers['user-agent'],
      proxyHeader: proxyHeaderReader(request),
    };
  }

  /** Charges for a large body or response: its size is known only now. */
  async function chargeForSize(request: FastifyRequest, characters: number): Promise<void> {
    const charge = (name: string, limits: Limits): void =>
      void limiter(name, limits, Math.floor(characters / charactersPerUnit), 'always');
    if (request.caller === undefined) return charge(visitorBucket(request), visitorLimits);
    const { caller, printableId, limits } = await app.authentication.admit(readKeyOrCookie(request, api), request.ip);
    isLarge = true;
    charge(printableId, limits);
    if (caller.operator === undefined) charge(accountBucket('sizes', caller.account, limits), limits);
  }

  function sendLarge(
    reply: FastifyReply,
    caller: Caller | undefined,
    content: readonly Buffer[],
    made: Effect = 'none',
  ): Buffer | Readable {
    const bytes = content.reduce((sum, { length }) => sum + length, 0);
    if (caller !== undefined && bytes >= charactersPerUnit) {
      // A change is made by now, so its response is always sent.
      if (made === 'none') unsent.requireRoom(caller.account, bytes);
      unsent.add(caller.account, bytes, reply.raw);
    }
    return sendInPieces(reply, content, bytes);
  }

  function sendFileBody(reply: FastifyReply, caller: Caller | undefined, file: FileContent): Buffer | Readable {
    if (!('parts' in file)) {
      const { bytes } = file;
      return sendLarge(reply, caller, [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
    }
    reply.header('content-length', file.size);
    if (caller !== undefined) {
      unsent.requireRoom(caller.account, bytesInParts);
      unsent.add(caller.account, bytesInParts, reply.raw);
    }
    return Readable.from(file.parts, { objectMode: false });
  }

  function describeOperation(request: FastifyRequest, input: Input): Omit<AppOperation, 'effect'> {
    return {
      name: operationName,
      method: request.method,
      path: canonicalPath(route, request.params),
      access: endpoint.access,
      ignoresHold: endpoint.ignoresHold === true,
      input,
      target: endpoint.target ?? [],
      idempotencyKey: readIdempotencyKey(request.headers['idempotency-key']),
      ...(endpoint.publishes === true && app.nameService.external !== undefined && { beforeCommit: zonePublishing }),
    };
  }

  function createWork(request: FastifyRequest, caller: Caller, input: Input): Work {
    let prepared = input;
    return {
      async prepare() {
        authoriseFields(caller, endpoint, input);
        prepared = (await prepareInput?.(app, caller, input)) ?? input;
      },
      async run(context) {
        if (needsProof(endpoint, prepared)) await requireProof(context, prepared);
        return successResponse(endpoint, await handler(context as never, prepared));
      },
      reject: (error) => errorResponse(errorFormatOf(api, request), error),
    };
  }

  return { onRequest, handler: onHandler };
}

function setFileHeaders(reply: FastifyReply, type: string, file: FileContent): void {
  // Operators choose the format of invoice numbers, and most characters are not allowed in a header.
  const safe = file.name.replace(/[^A-Za-z0-9._-]/g, '-');
  reply.header('content-type', type).header('content-disposition', `inline; filename="${safe}"`);
}

/**
 * Returns the requested path in a canonical form: two zones under one route are two paths, and a trailing slash makes
 * no difference.
 */
function canonicalPath(route: string, params: unknown): string {
  const values = params as Record<string, string>;
  return route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

export function sendResponse(reply: FastifyReply, response: ApiResponse): FastifyReply {
  return reply.code(response.status).header('content-type', response.type).send(response.body);
}

const bytesPerKilobyte = 1024;
/** Memory for a file that is sent in parts. */
const bytesInParts = 2 ** 20;
/** Building or checking a text of this length takes as long as a unit of the rate limit. */
const charactersPerUnit = 25_000;

function visitorBucket({ ip }: FastifyRequest): string {
  return `address ${budgetNetwork(ip)}`;
}

/** Keys with other limits have another budget, so that a key with a small one does not use up theirs. */
function accountBucket(kind: 'calls' | 'sizes', account: number, { rate, burst }: Limits): string {
  return `${kind} ${account} ${rate} ${burst}`;
}

function requestCost(endpoint: Endpoint, { headers }: FastifyRequest): number {
  const cost = costOf(endpoint);
  const { costPerKilobyte } = endpoint;
  if (costPerKilobyte === undefined) return cost;
  // A body that comes in pieces can have any length, so it costs everything.
  const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  return cost + Math.floor((bytes / bytesPerKilobyte) * costPerKilobyte);
}

function enforceRateLimit(
  limiter: RateLimiter,
  reply: FastifyReply,
  name: string,
  limits: Limits,
  cost?: number,
): void {
  const limit = limiter(name, limits, cost);
  reply.header('ratelimit-policy', limit.policy).header('ratelimit', limit.state);
  if (!limit.allowed) throw new ApiError('rate_limited', { retryAfterSeconds: limit.retryAfterSeconds });
}

/**
 * Reads the key from X-API-KEY or, except in the legacy API, a bearer token. Never from the URL. DNS tools may send it as
 * the password of Basic authentication, with any user name.
 */
export function readKey(request: FastifyRequest, api: ServedApi): string {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string') return key;
  if (api === 'legacy') return '';
  const [, scheme, credentials = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  if (scheme?.toLowerCase() !== 'basic') return credentials;
  return api === 'automation' ? (/:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString())?.[1] ?? '') : '';
}

/** The header decides if there is one: a pasted key outranks the session of the browser. */
function readKeyOrCookie(request: FastifyRequest, api: ServedApi): string {
  return readKey(request, api) || readSessionCookie(request, api);
}

/**
 * A key that is limited to certain DNS records can change them, which `changeZone` checks, and nothing else in the DNS:
 * neither sign zones, nor claim domains, nor manage access.
 */
export function authoriseDnsLimits({ dnsLimits }: Omit<Caller, 'requestId'>, { access, publishes }: Endpoint): void {
  if (access === 'dns:write' && publishes !== true) requireUnlimited(dnsLimits);
}

/** Checks the scope and the status of the account for a call with this effect. */
export function authorise(caller: Omit<Caller, 'requestId'>, access: Endpoint['access'], effect: Effect): void {
  if (access === 'any' || access === 'public') return;
  if (isPermission(access)) return authoriseOperator(caller, access);
  if (!caller.scopes.has(access))
    throw new ApiError(caller.contact === undefined ? 'scope_missing' : 'permission_missing');
  const isFrozen = caller.accountStatus === 'Suspended' && effect !== 'none' && !worksWhileSuspended(access);
  if (isFrozen) throw new ApiError('account_suspended');
}

function authoriseOperator({ scopes, operator }: Omit<Caller, 'requestId'>, permission: Permission): void {
  if (scopes.has(permission)) return;
  requireSecondFactor(scopes);
  throw new ApiError('role_missing', {
    message: `The role ${operator!.role} does not have the permission ${permission}.`,
  });
}

/** Without a second factor, staff have no permissions. */
export function requireSecondFactor(permissions: Caller['scopes']): void {
  if (permissions.size > 0) return;
  const message = 'Set up two-factor authentication first, in the panel or with `hostyard operator totp enrol`.';
  throw new ApiError('role_missing', { message });
}

/** A session that staff opened, or whose password they know, must not become more than it is. */
function authoriseSession(
  { limited }: Omit<Caller, 'requestId'>,
  { access, limitedSessions = [] }: Pick<Endpoint, 'access' | 'limitedSessions'>,
): void {
  if (limited === undefined || limitedSessions.includes(limited)) return;
  if (limited === 'temporary-password') {
    const message =
      'The provider chose your password. Change it first, in the panel or with `hostyard account password`.';
    throw new ApiError('scope_missing', { message });
  }
  if (access === 'any') throw new ApiError('scope_missing', { message: 'A support session cannot do this.' });
}

/** Some fields need a further permission than their endpoint. */
function authoriseFields({ scopes, operator }: Caller, endpoint: Endpoint, input: Input): void {
  const denied = fieldPermissions(endpoint, Object.keys(input)).filter(([, permission]) => !scopes.has(permission));
  if (denied.length === 0) return;
  const fields = Object.fromEntries(
    denied.map(([name, permission]) => [name, `needs ${permission}, which the role ${operator!.role} does not have`]),
  );
  throw new ApiError('role_missing', {
    message: `The role ${operator!.role} may not set ${Object.keys(fields).join(', ')}.`,
    fields,
  });
}
