// JSON-RPC 2.0 as MCP speaks it over standard input and output: one message a line. Requests are answered as they are done, in any
// order; a call that was cancelled is not answered.
import { createInterface } from 'node:readline';
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

const cancelled = 'notifications/cancelled';

/** Until the input ends and what it asked for is answered. */
export async function serveRpc(input: Readable, output: Writable, methods: Methods): Promise<void> {
  const underWay = new Map<unknown, AbortController>();
  const answers = new Set<Promise<void>>();
  const send = (message: object): void => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  async function answer(id: unknown, method: string, params: Params): Promise<void> {
    const stop = new AbortController();
    underWay.set(id, stop);
    try {
      const work = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (work === undefined) throw new RpcError(errorCodes.methodNotFound, `There is no method ${method}.`);
      const result = await work(params, stop.signal);
      if (!stop.signal.aborted) send({ id, result });
    } catch (error) {
      if (!stop.signal.aborted) send({ id, error: told(error) });
    } finally {
      underWay.delete(id);
    }
  }

  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const message = read(line);
    if (message instanceof RpcError) {
      send({ id: null, error: told(message) });
      continue;
    }
    const { id, method, params } = message;
    // An answer to something that we never ask, or a notification: nobody waits for a word.
    if (typeof method !== 'string') continue;
    const given = isRecord(params) ? params : {};
    if (id === undefined) {
      if (method === cancelled) underWay.get(given['requestId'])?.abort();
      continue;
    }
    const answered = answer(id, method, given).finally(() => answers.delete(answered));
    answers.add(answered);
  }
  await Promise.all(answers);
}

function read(line: string): Message | RpcError {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return new RpcError(errorCodes.parse, 'This is not JSON.');
  }
  const known = isRecord(message) && message['jsonrpc'] === '2.0';
  const { id, method } = known ? (message as Message) : {};
  const fits = typeof id === 'string' || typeof id === 'number' || id === undefined;
  if (!known || !fits || (id === undefined && typeof method !== 'string'))
    return new RpcError(errorCodes.invalidRequest, 'This is not a JSON-RPC 2.0 message.');
  return message as Message;
}

function told(error: unknown): { code: number; message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: errorCodes.internal, message: error instanceof Error ? error.message : 'Something went wrong.' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
