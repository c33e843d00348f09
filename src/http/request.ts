// One request on its way: authenticate → limit → collect and check parameters → carry out → envelope.
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FaceName } from '#contract/contract.ts';
import { effectOf, isReading, type Effect, type Endpoint } from '#contract/endpoint.ts';
import type { FileAnswer } from '#contract/shapes/file.ts';
import { isPower, type Power } from '#contract/roles.ts';
import { worksWhileSuspended } from '#contract/scopes.ts';
import type { Admission } from '#app/account/authentication.ts';
import type { Answer, Operation as AppOperation, Work } from '#app/operation/call.ts';
import { carryOut } from '#app/operation/carry-out.ts';
import { readContext } from '#app/operation/context.ts';
import { passwordHash } from '#app/account/passwords.ts';
import { checkDialled } from '#app/events/webhooks.ts';
import type { Caller } from '#app/caller.ts';
import type { Context, Visitor, Yard } from '#app/yard.ts';
import { Fault } from '#kernel/fault.ts';
import { faultAnswer, successAnswer, wantsProblem } from './answers.ts';
import type { Pairs } from './body.ts';
import { acceptsStream } from './streams/event-stream.ts';
import type { budgets, Limits } from './limits.ts';
import { pageOrigin } from './page-origin.ts';
import { dialledParameters, hashedParameters, idempotencyKeyOf, parameterReader, type Input } from './parameters.ts';
import type { Operation } from './routes.ts';

export type AnyHandler = (context: Context & Visitor, input: Input) => unknown;
type Budgets = ReturnType<typeof budgets>;

/** Signing in hashes a password each time: without a key, a client address gets little. */
const visitorLimits = { rate: 2, burst: 20 };

/** A text, or what is not the envelope: a stream of events, a file. */
type Body = string | Readable | Buffer;

export interface RequestSteps {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => Promise<void> | undefined;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<Body>;
}

export function requestSteps(
  yard: Yard,
  spend: Budgets,
  operation: Operation,
  route: string,
  handler: AnyHandler,
): RequestSteps {
  const { face, name, endpoint } = operation;
  const read = parameterReader(face, endpoint);
  const hashed = hashedParameters(endpoint);
  const dialled = dialledParameters(endpoint);
  const audited = `${face}.${name}`;
  const effect = effectOf(endpoint);
  const observed = { operation: audited, route };

  /** Goes on at once where the key is remembered, which most are. */
  function onRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): Promise<void> | undefined {
    request.observed = observed;
    if (endpoint.access === 'public') {
      spendBudget(spend, reply, `address ${request.ip}`, visitorLimits);
    } else {
      const admission = yard.authentication.admit(keyOf(request, face), request.ip);
      if (admission instanceof Promise) return admission.then((late) => enter(request, reply, late));
      enter(request, reply, admission);
    }
    done();
    return undefined;
  }

  function enter(request: FastifyRequest, reply: FastifyReply, admission: Admission): void {
    request.keyId = admission.printableId;
    spendBudget(spend, reply, admission.printableId, admission.limits, endpoint.cost);
    const { caller } = admission;
    // An operator's key opens the operator's doors, not those of customers, and the other way round.
    if ((caller.operator !== undefined) !== (face === 'operator')) throw new Fault('scope_missing');
    // What reads or changes as a parameter says can be decided only when that is known.
    const undecided = endpoint.reading !== undefined && caller.scopes.has(endpoint.reading.access);
    if (!undecided) authorise(caller, endpoint.access, endpoint.reading === undefined ? effect : 'none');
    request.caller = { ...caller, requestId: request.id, origin: pageOrigin(request) };
  }

  /** Resolves to the body, not to the reply: Fastify would wait for that one to be sent. */
  async function onHandler(request: FastifyRequest, reply: FastifyReply): Promise<Body> {
    const input = read([
      Object.entries(request.params as Record<string, unknown>),
      request.query as Pairs,
      (request.body as Pairs | undefined) ?? [],
    ]);
    const leaves = isReading(endpoint, input) ? 'none' : effect;
    if (endpoint.reading !== undefined && leaves !== 'none') authorise(request.caller!, endpoint.access, leaves);
    if (endpoint.streams === true && acceptsStream(request))
      return request.server.eventStreams.open(request, reply, {
        name,
        access: endpoint.access,
        keyText: keyOf(request, face),
        input,
      });
    const { caller } = request;
    let answer: Answer;
    if (caller !== undefined && leaves !== 'none') {
      const call = { ...operationOf(request, input), effect: leaves };
      answer = await carryOut({ yard, caller, operation: call, work: workOf(request, input) });
    } else {
      const context =
        caller === undefined
          ? { yard, address: request.ip, requestId: request.id, origin: pageOrigin(request) }
          : readContext(yard, caller, audited);
      const result = await handler(context as never, input);
      if (endpoint.file !== undefined) return fileBody(reply, endpoint.file, result as FileAnswer);
      answer = successAnswer(endpoint.resultsAs, result);
    }
    reply.code(answer.status).header('content-type', answer.type);
    return answer.bytes ?? answer.body;
  }

  function operationOf(request: FastifyRequest, input: Input): Omit<AppOperation, 'effect'> {
    return {
      name: audited,
      method: request.method,
      path: pathOf(route, request.params),
      access: endpoint.access,
      input,
      idempotencyKey: idempotencyKeyOf(request.headers['idempotency-key']),
      publishes: endpoint.publishes === true,
    };
  }

  function workOf(request: FastifyRequest, input: Input): Work {
    const prepared: Input = hashed.length === 0 ? input : { ...input };
    return {
      async prepare() {
        for (const parameter of hashed) {
          const password = input[parameter];
          if (typeof password === 'string') prepared[parameter] = await passwordHash(password);
        }
        for (const parameter of dialled) {
          const url = input[parameter];
          if (typeof url === 'string') await checkDialled(yard, parameter, url);
        }
      },
      run: async (context) => successAnswer(endpoint.resultsAs, await handler(context as never, prepared)),
      refuse: (fault) => faultAnswer(face, wantsProblem(request.headers.accept), fault),
    };
  }

  return { onRequest, handler: onHandler };
}

function fileBody(reply: FastifyReply, type: string, { name, bytes }: FileAnswer): Buffer {
  // Numbers of invoices are the operator's to choose, and a header is no place for most characters.
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '-');
  reply.header('content-type', type).header('content-disposition', `inline; filename="${safe}"`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The path that was asked for, in one spelling: two zones under one route are two paths, a trailing slash makes no other. */
function pathOf(route: string, params: unknown): string {
  const values = params as Record<string, string>;
  return route.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

export function send(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply
    .code(answer.status)
    .header('content-type', answer.type)
    .send(answer.bytes ?? answer.body);
}

function spendBudget(spend: Budgets, reply: FastifyReply, name: string, limits: Limits, cost?: number): void {
  const budget = spend(name, limits, cost);
  reply.header('ratelimit-policy', budget.policy).header('ratelimit', budget.state);
  if (!budget.allowed) throw new Fault('rate_limited', { retryAfterSeconds: budget.retryAfterSeconds });
}

/** X-API-KEY on all interfaces; but for legacy they also take a bearer token. Never from the URL. */
export function keyOf(request: FastifyRequest, face: FaceName): string {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string') return key;
  const bearer = face !== 'legacy' ? /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') : null;
  return bearer?.[1] ?? '';
}

/** Scope and state of the account, for a call with this effect. */
export function authorise(caller: Omit<Caller, 'requestId'>, access: Endpoint['access'], effect: Effect): void {
  if (access === 'any' || access === 'public') return;
  if (isPower(access)) return authoriseOperator(caller, access);
  if (!caller.scopes.has(access))
    throw new Fault(caller.contact === undefined ? 'scope_missing' : 'permission_missing');
  const frozen = caller.accountStatus === 'Suspended' && effect !== 'none' && !worksWhileSuspended(access);
  if (frozen) throw new Fault('account_suspended');
}

function authoriseOperator({ scopes, operator }: Omit<Caller, 'requestId'>, power: Power): void {
  if (scopes.has(power)) return;
  if (scopes.size === 0)
    throw new Fault('role_missing', { message: 'Confirm a second factor first, with POST and PUT /operator/totp.' });
  throw new Fault('role_missing', { message: `The role ${operator!.role} does not have the power ${power}.` });
}
