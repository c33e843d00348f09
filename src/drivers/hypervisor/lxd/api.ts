// The REST API of LXD, which Incus speaks too: every answer in one envelope, and what takes its time as an operation that is
// waited for. What the daemon says of a failure stays in the log: it names paths and instances of the provider.
import { setTimeout as pause } from 'node:timers/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { Fault } from '#kernel/fault.ts';
import { jsonOf, type NodeAnswer, type NodeHttp, type NodeRequest } from '../http.ts';

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
/** How long one question lasts; it is asked again for as long as the caller's signal lets it. */
const waitSeconds = 30;

export interface StartedOperation {
  readonly path: string;
  readonly metadata: unknown;
}

export interface LxdApi {
  /** A Fault `not_found` where there is none. */
  get<S extends TSchema>(path: string, shape: S, signal: AbortSignal): Promise<Static<S>>;
  find<S extends TSchema>(path: string, shape: S, signal: AbortSignal): Promise<Static<S> | undefined>;
  /** Returns when the change is made, with what its operation tells of it. */
  change(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<unknown>;
  /** Returns when the operation has begun. */
  start(method: 'POST' | 'PUT', path: string, signal: AbortSignal, body: object): Promise<StartedOperation>;
  /** For what is no JSON: the files of an instance. */
  send(request: NodeRequest, signal: AbortSignal): Promise<NodeAnswer>;
}

export function lxdApi(http: NodeHttp): LxdApi {
  const ask = async (request: NodeRequest, signal: AbortSignal): Promise<Opened> =>
    opened(await http.send(request, signal));
  const get: LxdApi['get'] = async (path, shape, signal) =>
    fitting(shape, (await ask({ method: 'GET', path }, signal)).metadata, path);
  const finished = async (operation: string, signal: AbortSignal): Promise<unknown> => {
    for (;;) {
      const told = await get(`${operation}/wait?timeout=${waitSeconds}`, Operation, signal);
      if (told.status_code === success) return told.metadata;
      if (told.status_code > success) throw failure(told.err);
    }
  };
  return {
    get,
    find: (path, shape, signal) =>
      get(path, shape, signal).catch((error: unknown) => {
        if (error instanceof Fault && error.code === 'not_found') return undefined;
        throw error;
      }),
    change: (method, path, signal, body) =>
      unlessBusy(signal, async () => {
        const { operation, metadata } = await ask({ method, path, ...(body && { body }) }, signal);
        return operation === undefined ? metadata : finished(operation, signal);
      }),
    async start(method, path, signal, body) {
      const { operation, metadata } = await ask({ method, path, body }, signal);
      if (operation === undefined) throw wrong(`no operation for ${path}`);
      return { path: operation, metadata };
    },
    send: (request, signal) => http.send(request, signal),
  };
}

const lookAgainMs = 100;

/** An instance takes one change at a time, and has stopped a little before its stop is over. Who is refused then is early. */
async function unlessBusy<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isEarly = error instanceof Fault && /Instance is busy running/.test(error.internal ?? '');
      if (!isEarly || signal.aborted) throw error;
      await pause(lookAgainMs);
    }
  }
}

export interface Opened {
  /** Its path, where something was begun. A member of a cluster that passes on another's word puts a query behind it. */
  readonly operation: string | undefined;
  readonly metadata: unknown;
}

/** What an answer holds, or the failure that it tells of. */
export function opened(answer: NodeAnswer): Opened {
  const { type, error, operation, metadata } = fitting(Envelope, jsonOf(answer), 'the envelope');
  if (type === 'error') throw failure(error ?? '', answer.status);
  return { operation: operation?.split('?')[0] || undefined, metadata };
}

export function fitting<S extends TSchema>(shape: S, value: unknown, what: string): Static<S> {
  if (!Check(shape, value)) throw wrong(`another shape than expected: ${what}`);
  return value;
}

export function wrong(internal: string): Fault {
  return new Fault('node_error', { internal });
}

/** An operation has no status of its own to tell by; a full disk is known by the words of the kernel. */
function failure(text: string, status?: number): Fault {
  const internal = `LXD answered ${status ?? 'by its operation'}: ${text}`;
  if (status === 404) return new Fault('not_found', { internal });
  if (/no space left on device|disk quota exceeded/i.test(text)) return noRoom(internal);
  return wrong(internal);
}

export function noRoom(internal: string): Fault {
  return new Fault('nothing_free', { internal, message: 'The node has no room for this.' });
}
