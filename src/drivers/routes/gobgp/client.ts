// Calls of GoBGP's API over gRPC. It is loaded when the first router of this kind is opened: a site without one does without
// the library. The transport is in clear and knows no password, as GoBGP's own: the API belongs on loopback.
import { fileURLToPath } from 'node:url';
import * as grpc from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { Fault } from '#kernel/fault.ts';

export interface GobgpClient {
  /** Adds paths, or takes back those that say so: together, because a call for each costs more than all else about it. */
  addPaths(paths: readonly object[], signal: AbortSignal): Promise<void>;
  /** Every message of the stream. */
  listPath<T>(request: object, signal: AbortSignal): Promise<T[]>;
  /** Whenever it is connected again after it was not. */
  onReturn(listener: () => void): void;
  close(): void;
}

/** A router that takes longer for one call is taken for silent. */
const callMs = 8000;
const longestPauseMs = 1000;
/** Some 100 kB; GoBGP refuses a message of 4 MB. */
const pathsAtOnce = 500;

export function openGobgpClient(address: string): GobgpClient {
  const file = fileURLToPath(new URL('gobgp.proto', import.meta.url));
  const loaded = loadSync(file, { keepCase: true, longs: Number, enums: String, json: true, defaults: false });
  const service = loaded['apipb.GobgpApi'] as ServiceDefinition;
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': longestPauseMs,
    // One process may have several routers, and each its own fate.
    'grpc.use_local_subchannel_pool': 1,
  });
  let closed = false;

  return {
    async addPaths(paths, signal) {
      const { path, requestSerialize, responseDeserialize } = service['AddPathStream']!;
      await answered<unknown>(signal, (options, done) => {
        const stream = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, options, done);
        for (let at = 0; at < paths.length; at += pathsAtOnce)
          stream.write({ paths: paths.slice(at, at + pathsAtOnce) });
        stream.end();
        return stream;
      });
    },
    async listPath<T>(request: object, signal: AbortSignal) {
      const { path, requestSerialize, responseDeserialize } = service['ListPath']!;
      return answered<T[]>(signal, (options, done) => {
        const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, options);
        const messages: T[] = [];
        stream.on('data', (message: T) => messages.push(message));
        stream.on('error', (error) => done(error));
        stream.on('end', () => done(null, messages));
        return stream;
      });
    },
    onReturn(listener) {
      const channel = client.getChannel();
      let seen: 'never' | 'there' | 'away' = 'never';
      const watch = (): void => {
        if (closed) return;
        // Asking for the state also makes an idle connection try again.
        const state = channel.getConnectivityState(true);
        if (state === grpc.connectivityState.READY) {
          if (seen === 'away') listener();
          seen = 'there';
        } else if (seen === 'there') seen = 'away';
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

async function answered<T>(
  signal: AbortSignal,
  begin: (options: grpc.CallOptions, done: Done<T>) => { cancel(): void },
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  if (signal.aborted) throw unreachable(signal.reason);
  const call = begin({ deadline: Date.now() + callMs }, (error, value) =>
    error === null ? resolve(value as T) : reject(faultOf(error)),
  );
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}

const silence = new Set([grpc.status.UNAVAILABLE, grpc.status.DEADLINE_EXCEEDED, grpc.status.CANCELLED]);

function faultOf(error: grpc.ServiceError | Error): Fault {
  const code = 'code' in error ? error.code : undefined;
  if (code !== undefined && silence.has(code)) return unreachable(error);
  return new Fault('router_error', { internal: error.message, cause: error });
}

function unreachable(cause: unknown): Fault {
  return new Fault('router_unreachable', { internal: String(cause), cause });
}
