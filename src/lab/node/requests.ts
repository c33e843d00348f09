// The control protocol of a lab node as HTTP: a token, a path with names in it, JSON both ways.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, type Body } from './calls.ts';

const mostBodyBytes = 65_536;

/** The name of the call, and the names that stand in its path. */
export function routeOf({ method, url = '/' }: IncomingMessage): {
  route: string;
  names: { machine: string; system: string };
} {
  const [, root = '', machine = '', part, system = ''] = url.split('/').map(decodeURIComponent);
  const path = [root, ...(machine === '' ? [] : ['*']), ...(part === undefined ? [] : [part])];
  if (system !== '') path.push('*');
  return { route: `${method} /${path.join('/')}`, names: { machine, system } };
}

export function authorize({ headers }: IncomingMessage, token: string): void {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Refusal(401, 'unauthorized', 'Who are you?');
}

export async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBodyBytes) throw new Refusal(400, 'malformed', 'The body is too long.');
    chunks.push(chunk);
  }
  if (length === 0) return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null) return body as Body;
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'malformed', 'The body is no JSON object.');
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
