// JSON over HTTP to a node, by a port or by a socket in the file system. What can be asked again goes over kept connections; a
// change goes over one of its own, because a kept one may have died meanwhile, and then nobody knows whether the change ran.
import { Agent as PlainAgent, request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest, type RequestOptions } from 'node:https';
import { Fault } from '#kernel/fault.ts';

export interface NodePlace {
  readonly scheme: 'http' | 'https';
  /** Host and port, or socketPath; headers; certificates. */
  readonly options: RequestOptions;
}
export interface NodeAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}
export interface NodeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface NodeHttp extends Disposable {
  /** Any status is an answer; silence and a broken connection are a Fault `node_unreachable`. */
  send(request: NodeRequest, signal: AbortSignal): Promise<NodeAnswer>;
}

const keptConnections = 8;
const mostAnswerBytes = 32 * 2 ** 20;

export function openNodeHttp(place: NodePlace): NodeHttp {
  const kept = { keepAlive: true, maxFreeSockets: keptConnections };
  const agent = place.scheme === 'https' ? new SecureAgent(kept) : new PlainAgent(kept);
  const once = (asked: NodeRequest, signal: AbortSignal): Promise<NodeAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<NodeAnswer>();
    const request = startRequest(place, asked, { agent: asked.method === 'GET' ? agent : false, signal });
    let isSent = false;
    request.on('finish', () => (isSent = true));
    const fail = (cause: unknown): void => reject(unreachable(asked, isSent, cause));
    request.on('error', (cause) => {
      if (asked.method === 'GET' && request.reusedSocket && !signal.aborted) resolve(once(asked, signal));
      else fail(cause);
    });
    request.on('response', (response) =>
      textOf(response).then(resolve, (error) => (error instanceof Fault ? reject(error) : fail(error))),
    );
    request.end(bytesOf(asked.body));
    return promise;
  };
  return {
    send: (asked, signal) => once(asked, signal),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

export function startRequest(
  place: NodePlace,
  { method, path, headers, body }: NodeRequest,
  more: RequestOptions,
): ClientRequest {
  const start = place.scheme === 'https' ? secureRequest : plainRequest;
  const type = body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' };
  const length = body === undefined ? {} : { 'content-length': bytesOf(body)!.length };
  return start({
    ...place.options,
    ...more,
    method,
    path,
    headers: { ...(place.options.headers as Record<string, string>), ...type, ...length, ...headers },
  });
}

export function unreachable({ method }: Pick<NodeRequest, 'method'>, isSent: boolean, cause: unknown): Fault {
  const internal = cause instanceof Error ? cause.message : String(cause);
  if (method === 'GET' || !isSent) return new Fault('node_unreachable', { cause, internal });
  return new Fault('node_unreachable', {
    cause,
    internal,
    message: 'The node fell silent; it is not known whether the command ran. Look at the state before trying again.',
  });
}

/** The answer as JSON; a Fault `node_error` where it is none. */
export function jsonOf({ status, text }: NodeAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('node_error', { cause, internal: `${status}, and no JSON` });
  }
}

function bytesOf(body: object | Buffer | undefined): Buffer | undefined {
  return body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

async function textOf(response: IncomingMessage): Promise<NodeAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostAnswerBytes) throw new Fault('node_error', { internal: 'an answer without end' });
    chunks.push(chunk);
  }
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() };
}
