// The HTTP side of a lab hypervisor's control protocol: bearer token, paths with names, JSON bodies.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readLimited } from '#lib/read-limited.ts';
import { sameSecret } from '#lib/secrets.ts';
import { CallError, type Body } from './call.ts';

const maxBodyBytes = 65_536;

/** Returns the name of the call and the names in its path. */
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
  if (!sameSecret(Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)))
    throw new CallError(401, 'unauthorized', 'Invalid token.');
}

export async function bodyOf(request: IncomingMessage): Promise<Body> {
  const tooLongError = () => new CallError(400, 'malformed', 'The body is too long.');
  const content = await readLimited(request, maxBodyBytes, tooLongError);
  if (content.length === 0) return {};
  try {
    const body: unknown = JSON.parse(content.toString());
    if (typeof body === 'object' && body !== null) return body as Body;
  } catch {
    // Reported below.
  }
  throw new CallError(400, 'malformed', 'The body is not a JSON object.');
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
