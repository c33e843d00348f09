// JSON over HTTP to a hypervisor, by TCP or Unix socket. Reads reuse connections. Each change uses a connection of its
// own: a reused one may have been closed, and then it would be unknown whether the change ran.
import { once } from 'node:events';
import { Agent as PlainAgent, request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type ApiErrorDetail } from '#lib/api-error.ts';
import { readLimited } from '#lib/read-limited.ts';

export interface HypervisorEndpoint {
  readonly scheme: 'http' | 'https';
  /** Host and port or socketPath, headers, certificates. */
  readonly options: RequestOptions;
}
export interface HypervisorResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}
export interface HypervisorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a response that a customer's system decides. */
  readonly limit?: ResponseLimit;
}
export interface ResponseLimit {
  readonly bytes: number;
  error(): ApiError;
}
export interface HypervisorHttp extends Disposable {
  /** Resolves with any status. Rejects with `node_unreachable` if there is no response or the connection breaks. */
  send(request: HypervisorRequest, signal: AbortSignal): Promise<HypervisorResponse>;
  /** Reads a body of any length. Resolves with any status. */
  download(path: string, signal: AbortSignal): Promise<IncomingMessage>;
  /** Sends a body of any length, on a separate connection. */
  upload(
    request: Omit<HypervisorRequest, 'body'>,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<HypervisorResponse>;
}

const maxIdleConnections = 8;
const defaultLimit: ResponseLimit = { bytes: 32 * 2 ** 20, error: tooLongError };

export function openHypervisorHttp(endpoint: HypervisorEndpoint): HypervisorHttp {
  const agentOptions = { keepAlive: true, maxFreeSockets: maxIdleConnections };
  const agent = endpoint.scheme === 'https' ? new SecureAgent(agentOptions) : new PlainAgent(agentOptions);
  const sendOnce = (details: HypervisorRequest, signal: AbortSignal): Promise<HypervisorResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<HypervisorResponse>();
    const request = startRequest(endpoint, details, { agent: details.method === 'GET' ? agent : false, signal });
    let isSent = false;
    request.on('finish', () => (isSent = true));
    const fail = (cause: unknown): void =>
      reject(details.method === 'GET' || !isSent ? unreachableError(cause) : unknownOutcomeError(cause));
    request.on('error', (cause) => {
      if (details.method === 'GET' && request.reusedSocket && !signal.aborted) resolve(sendOnce(details, signal));
      else fail(cause);
    });
    request.on('response', (response) =>
      readResponse(response, details.limit).then(resolve, (error) =>
        error instanceof ApiError ? reject(error) : fail(error),
      ),
    );
    request.end(encodeBody(details.body));
    return promise;
  };
  return {
    send: (request, signal) => sendOnce(request, signal),
    async download(path, signal) {
      const request = startRequest(endpoint, { method: 'GET', path }, { agent: false, signal });
      request.end();
      const [response] = (await once(request, 'response').catch((cause: unknown) => {
        throw unreachableError(cause);
      })) as [IncomingMessage];
      return response;
    },
    async upload(details, content, signal) {
      const request = startRequest(endpoint, details, { agent: false, signal });
      let sourceError: unknown;
      const source = async function* (): AsyncGenerator<Buffer> {
        try {
          yield* content;
        } catch (error) {
          sourceError = error;
          throw error;
        }
      };
      const responding = once(request, 'response') as Promise<[IncomingMessage]>;
      // Reported by whichever fails first below.
      responding.catch(() => {});
      try {
        // A rejection arrives before the body is sent.
        await Promise.race([pipeline(source(), request), responding]);
      } catch (cause) {
        request.destroy();
        throw sourceError ?? unreachableError(cause);
      }
      const [response] = await responding.catch((cause: unknown) => {
        throw unknownOutcomeError(cause);
      });
      return readResponse(response);
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export function startRequest(
  endpoint: HypervisorEndpoint,
  { method, path, headers, body }: HypervisorRequest,
  more: RequestOptions,
): ClientRequest {
  const start = endpoint.scheme === 'https' ? secureRequest : plainRequest;
  const type = body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' };
  const length = body === undefined ? {} : { 'content-length': encodeBody(body)!.length };
  return start({
    ...endpoint.options,
    ...more,
    method,
    path,
    headers: { ...(endpoint.options.headers as Record<string, string>), ...type, ...length, ...headers },
  });
}

/** Connects to a VNC port of a hypervisor. */
export async function connectVnc(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const socket = connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal });
  } catch (cause) {
    socket.destroy();
    throw new ApiError('node_unreachable', { cause, internal: 'the VNC port cannot be reached' });
  }
  return socket;
}

export function unreachableError(cause: unknown, detail: Pick<ApiErrorDetail, 'message'> = {}): ApiError {
  const internal = cause instanceof Error ? cause.message : String(cause);
  return new ApiError('node_unreachable', { ...detail, cause, internal });
}

function unknownOutcomeError(cause: unknown): ApiError {
  const message =
    'The hypervisor stopped responding, and it is unknown whether the command ran. Check the state before you try again.';
  return unreachableError(cause, { message });
}

/** Parses the body, or throws `node_error` if it is not JSON. */
export function parseJson({ status, text }: HypervisorResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('node_error', { cause, internal: `status ${status}, and the body is not JSON` });
  }
}

function encodeBody(body: object | Buffer | undefined): Buffer | undefined {
  return body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

async function readResponse(response: IncomingMessage, { bytes, error } = defaultLimit): Promise<HypervisorResponse> {
  const content = await readLimited(response, bytes, error);
  return { status: response.statusCode!, headers: response.headers, text: content.toString() };
}

function tooLongError(): ApiError {
  return new ApiError('node_error', { internal: 'the response is too large' });
}
