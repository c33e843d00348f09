// Calls GoBGP's API over gRPC; imported with the first router of this kind, so that other sites do without the library.
// As in GoBGP itself, the transport has neither encryption nor authentication: the API belongs on loopback.
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { ApiError } from '#lib/api-error.ts';

export interface GobgpClient {
  /** Adds or withdraws paths in batches, because the cost per call dominates. */
  addPaths(paths: readonly object[], signal: AbortSignal): Promise<void>;
  /** Returns all messages of the stream. */
  listPath<T>(request: object, signal: AbortSignal): Promise<T[]>;
  /** Called after each reconnect. */
  onReconnect(listener: () => void): void;
  close(): void;
}

/** A router that takes longer for one call counts as unreachable. */
const callTimeoutMs = 8000;
const maxReconnectMs = 1000;
/** About 100 kB; GoBGP rejects messages of 4 MB. */
const pathsPerMessage = 500;

export function openGobgpClient(address: string): GobgpClient {
  const file = fileURLToPath(new URL('gobgp.proto', import.meta.url));
  const loaded = loadSync(file, { keepCase: true, longs: Number, enums: String, json: true, defaults: false });
  const service = loaded['apipb.GobgpApi'] as ServiceDefinition;
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': maxReconnectMs,
    // Several routers in one process must not share a connection.
    'grpc.use_local_subchannel_pool': 1,
  });
  let closed = false;

  return {
    async addPaths(paths, signal) {
      const { path, requestSerialize, responseDeserialize } = service['AddPathStream']!;
      await runCall<unknown>(signal, (options, done) => {
        const stream = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, options, done);
        for (let at = 0; at < paths.length; at += pathsPerMessage)
          stream.write({ paths: paths.slice(at, at + pathsPerMessage) });
        stream.end();
        return stream;
      });
    },
    async listPath<T>(request: object, signal: AbortSignal) {
      const { path, requestSerialize, responseDeserialize } = service['ListPath']!;
      return runCall<T[]>(signal, (options, done) => {
        const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, options);
        const messages: T[] = [];
        stream.on('data', (message: T) => messages.push(message));
        stream.on('error', (error) => done(error));
        stream.on('end', () => done(null, messages));
        return stream;
      });
    },
    onReconnect(listener) {
      const channel = client.getChannel();
      let connection: 'new' | 'connected' | 'lost' = 'new';
      const watch = (): void => {
        if (closed) return;
        // Reading the state also makes an idle connection reconnect.
        const state = channel.getConnectivityState(true);
        if (state === grpc.connectivityState.READY) {
          if (connection === 'lost') listener();
          connection = 'connected';
        } else if (connection === 'connected') connection = 'lost';
        channel.watchConnectivityState(state, Infinity, watch);
      };
      watch();
    },
    close() {
      closed = true;
      client.close();
    },
  };
}

type Done<T> = (error: grpc.ServiceError | Error | null, value?: T) => void;

async function runCall<T>(
  signal: AbortSignal,
  start: (options: grpc.CallOptions, done: Done<T>) => { cancel(): void },
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  if (signal.aborted) throw unreachableError(signal.reason);
  const call = start({ deadline: Date.now() + callTimeoutMs }, (error, value) =>
    error === null ? resolve(value as T) : reject(toApiError(error)),
  );
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}

const unreachableStatuses = new Set([grpc.status.UNAVAILABLE, grpc.status.DEADLINE_EXCEEDED, grpc.status.CANCELLED]);

function toApiError(error: grpc.ServiceError | Error): ApiError {
  const code = 'code' in error ? error.code : undefined;
  if (code !== undefined && unreachableStatuses.has(code)) return unreachableError(error);
  return new ApiError('router_error', { internal: error.message, cause: error });
}

function unreachableError(cause: unknown): ApiError {
  return new ApiError('router_unreachable', { internal: String(cause), cause });
}
