// JSON-RPC 2.0 over standard input and output as MCP uses it: one message per line. Responses are sent as they are ready, in
// any order; a cancelled request gets none.
import type { Readable, Writable } from 'node:stream';

export const errorCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Params = Readonly<Record<string, unknown>>;
export interface Methods {
  readonly [method: string]: (params: Params, signal: AbortSignal) => unknown;
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

const cancelledMethod = 'notifications/cancelled';

/** Serves until the input has ended and every request has its response. */
export async function serveRpc(input: Readable, output: Writable, methods: Methods): Promise<void> {
  const running = new Map<unknown, AbortController>();
  const responses = new Set<Promise<void>>();
  const send = (message: object): void => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  async function respond(id: unknown, method: string, params: Params): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handler === undefined) throw new RpcError(errorCodes.methodNotFound, `Unknown method: ${method}.`);
      const result = await handler(params, controller.signal);
      if (!controller.signal.aborted) send({ id, result });
    } catch (error) {
      if (!controller.signal.aborted) send({ id, error: errorObject(error) });
    } finally {
      running.delete(id);
    }
  }

  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue;
    const message = parseMessage(line);
    if (message instanceof RpcError) {
      send({ id: null, error: errorObject(message) });
      continue;
    }
    const { id, method, params } = message;
    // A response to a request that we never send.
    if (typeof method !== 'string') continue;
    const args = isRecord(params) ? params : {};
    if (id === undefined) {
      if (method === cancelledMethod) running.get(args['requestId'])?.abort();
      continue;
    }
    const response = respond(id, method, args).finally(() => responses.delete(response));
    responses.add(response);
  }
  await Promise.all(responses);
}

/** Not with `node:readline`, which also ends lines at U+2028 and U+2029: JSON allows both within a text. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  input.setEncoding('utf8');
  let line = '';
  for await (const chunk of input as AsyncIterable<string>) {
    const [first, ...others] = chunk.split('\n');
    line += first;
    for (const next of others) {
      yield line;
      line = next;
    }
  }
  yield line;
}

function parseMessage(line: string): Message | RpcError {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return new RpcError(errorCodes.parse, 'Invalid JSON.');
  }
  const isRpc = isRecord(message) && message['jsonrpc'] === '2.0';
  const { id, method } = isRpc ? (message as Message) : {};
  const hasValidId = typeof id === 'string' || typeof id === 'number' || id === undefined;
  if (!isRpc || !hasValidId || (id === undefined && typeof method !== 'string'))
    return new RpcError(errorCodes.invalidRequest, 'Not a JSON-RPC 2.0 message.');
  return message as Message;
}

function errorObject(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: errorCodes.internal, message: error instanceof Error ? error.message : 'Something went wrong.' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
