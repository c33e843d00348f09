// The REST API that LXD and Incus share: every response has the same envelope, and slow changes are operations to wait
// for. Error texts stay in the log, because they name the provider's paths and instances.
import { setTimeout as pause } from 'node:timers/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { ApiError } from '#lib/api-error.ts';
import { sameNames, type MachineNames } from '../adoption.ts';
import { parseJson, type HypervisorResponse, type HypervisorHttp, type HypervisorRequest } from '../http.ts';

const Envelope = Type.Object({
  type: Type.String(),
  operation: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Unknown()),
});
const Operation = Type.Object({
  status_code: Type.Integer(),
  err: Type.String(),
  metadata: Type.Optional(Type.Unknown()),
});
const success = 200;
/** The length of one long poll, repeated until the caller's signal aborts. */
const waitSeconds = 30;
/** A request without a response by then is lost, even if the daemon responds to others. Callers may have less time, or minutes more. */
const responseMs = 30_000;

export interface StartedOperation {
  readonly path: string;
  readonly metadata: unknown;
}

export interface LxdApi {
  /** Of adopted machines. */
  readonly names: MachineNames;
  /** Rejects with `not_found` if it does not exist. */
  get<S extends TSchema>(path: string, schema: S, signal: AbortSignal): Promise<Static<S>>;
  find<S extends TSchema>(path: string, schema: S, signal: AbortSignal): Promise<Static<S> | undefined>;
  /** Resolves when the change is complete, with its operation's metadata. */
  change(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<unknown>;
  /** Resolves when the operation has started. */
  start(method: 'POST' | 'PUT', path: string, signal: AbortSignal, body: object): Promise<StartedOperation>;
  /** For content that is not JSON, such as files of an instance. */
  send(request: HypervisorRequest, signal: AbortSignal): Promise<HypervisorResponse>;
  /** Reads content of any length, such as a backup. */
  download(path: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Resolves when the daemon has used the content. */
  upload(
    path: string,
    headers: Readonly<Record<string, string>>,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<void>;
}

export function lxdApi(http: HypervisorHttp, names: MachineNames = sameNames): LxdApi {
  const send = (request: HypervisorRequest, signal: AbortSignal, limitMs = responseMs): Promise<HypervisorResponse> =>
    http.send(request, isPerformedFirst(request) ? signal : AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
  const call = async (...request: Parameters<typeof send>): Promise<ParsedEnvelope> =>
    parseEnvelope(await send(...request));
  const get: LxdApi['get'] = async (path, schema, signal) =>
    checkSchema(schema, (await call({ method: 'GET', path }, signal)).metadata, path);
  const waitForOperation = async (path: string, signal: AbortSignal): Promise<unknown> => {
    for (;;) {
      const request = { method: 'GET', path: `${path}/wait?timeout=${waitSeconds}` } as const;
      const { metadata } = await call(request, signal, waitSeconds * 1000 + responseMs);
      const operation = checkSchema(Operation, metadata, path);
      if (operation.status_code === success) return operation.metadata;
      if (operation.status_code > success) throw toApiError(operation.err);
    }
  };
  return {
    names,
    get,
    find: (path, schema, signal) =>
      get(path, schema, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found') return undefined;
        throw error;
      }),
    change: (method, path, signal, body) =>
      retryWhileBusy(signal, async () => {
        const { operation, metadata } = await call({ method, path, ...(body && { body }) }, signal);
        return operation === undefined ? metadata : waitForOperation(operation, signal);
      }),
    async start(method, path, signal, body) {
      const { operation, metadata } = await call({ method, path, body }, signal);
      if (operation === undefined) throw hypervisorError(`no operation for ${path}`);
      return { path: operation, metadata };
    },
    send: (request, signal) => send(request, signal),
    async *download(path, signal) {
      const response = await http.download(path, signal);
      if (response.statusCode !== success) {
        response.destroy();
        throw toApiError('no content', response.statusCode);
      }
      yield* response as AsyncIterable<Buffer>;
    },
    async upload(path, headers, content, signal) {
      const binary = { 'content-type': 'application/octet-stream', ...headers };
      const response = await http.upload({ method: 'POST', path, headers: binary }, content, signal);
      const { operation } = parseEnvelope(response);
      if (operation !== undefined) await waitForOperation(operation, signal);
    },
  };
}

/**
 * Returns true for changes that LXD performs before it responds: those of what running instances use, and of volumes. It responds
 * to others at once, and performs slow ones as operations.
 */
function isPerformedFirst({ method, path }: HypervisorRequest): boolean {
  if (method === 'GET') return false;
  if (/\/volumes\/custom(\/[^/?]+)?(\?|$)/.test(path)) return true;
  return method === 'PATCH' || (method === 'PUT' && path.startsWith('/1.0/profiles/'));
}

const retryMs = 100;

/**
 * Retries while the instance is busy: it takes one change at a time, and reports that it has stopped slightly before
 * the stop operation ends.
 */
async function retryWhileBusy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && /Instance is busy running/.test(error.internal ?? '');
      if (!isBusy || signal.aborted) throw error;
      await pause(retryMs);
    }
  }
}

export interface ParsedEnvelope {
  /**
   * The operation's path, if one was started, without the query that cluster members append when they forward a
   * response.
   */
  readonly operation: string | undefined;
  readonly metadata: unknown;
}

/** Returns the content of a response, or throws the error in it. */
export function parseEnvelope(response: HypervisorResponse): ParsedEnvelope {
  const { type, error, operation, metadata } = checkSchema(Envelope, parseJson(response), 'the envelope');
  if (type === 'error') throw toApiError(error ?? '', response.status);
  return { operation: operation?.split('?')[0] || undefined, metadata };
}

export function checkSchema<S extends TSchema>(schema: S, value: unknown, what: string): Static<S> {
  if (!Check(schema, value)) throw hypervisorError(`unexpected response: ${what}`);
  return value;
}

export function hypervisorError(internal: string): ApiError {
  return new ApiError('node_error', { internal });
}

/** Operations have no HTTP status, so a full disk is recognized by the kernel's message. */
function toApiError(text: string, status?: number): ApiError {
  const internal = `LXD returned ${status ?? 'a failed operation'}: ${text}`;
  if (status === 404) return new ApiError('not_found', { internal });
  if (/no space left on device|disk quota exceeded/i.test(text)) return noCapacity(internal);
  return hypervisorError(internal);
}

export function noCapacity(internal: string): ApiError {
  return new ApiError('nothing_free', { internal, message: 'The hypervisor has no capacity for this.' });
}
