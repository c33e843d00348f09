// Handles a request: authentication, authorization, the resource's operation, and preconditions by ETag as specified by
// DMTF.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LabAccount } from './accounts.ts';
import type { RedfishMachine } from './machine.ts';
import { notAllowed, notFound, errorResponse, type Body, type RedfishResponse } from './response.ts';
import type { Resource } from './resource.ts';
import { allResources } from './resources.ts';

const sessionCookie = 'SESSION';
const cookiePattern = /(?:^|; )(?:SESSION|SID)=([0-9a-f]+)/;
const taskMonitor = /^\/redfish\/v1\/TaskService\/TaskMonitors\/([0-9]{1,9})$/;

export async function handleRequest(
  machine: RedfishMachine,
  request: IncomingMessage,
  body: Body,
): Promise<RedfishResponse> {
  const path = (request.url ?? '').split('?')[0]!.replace(/\/$/, '');
  const resource = allResources(machine)[path];
  const account = accountOf(machine, request);
  const isOpen = resource?.isOpen === true;
  if (account === undefined && !isOpen) return errorResponse(401, 'NoValidSession', 'There is no valid session.');
  const task = taskMonitor.exec(path)?.[1];
  if (task !== undefined && request.method === 'GET') return machine.tasks.poll(task) ?? notFound;
  if (resource === undefined) return notFound;
  if (request.method === 'GET' || request.method === 'HEAD') {
    const expands = (request.url ?? '').includes('?$expand=');
    return showResource(machine, (expands ? resource.expanded : undefined) ?? resource.body);
  }
  const mayChange =
    isOpen || account?.role === 'Administrator' || (account?.role === 'Operator' && !resource.isProtected);
  if (!mayChange) return errorResponse(403, 'InsufficientPrivilege', 'This account lacks the required privileges.');
  if (request.method === 'POST' && resource.post !== undefined) return withCookie(request, await resource.post(body));
  if (request.method === 'DELETE' && resource.remove !== undefined) return resource.remove();
  if (request.method === 'PATCH' && resource.patch !== undefined)
    return preconditionError(machine, resource, request) ?? resource.patch(body);
  return notAllowed;
}

function showResource(machine: RedfishMachine, body: Body | undefined): RedfishResponse {
  if (body === undefined) return notAllowed;
  return machine.generation === 'early'
    ? { status: 200, body }
    : {
        status: 200,
        body,
        headers: { etag: machine.personality.etags === undefined ? etagOf(body) : `W/${etagOf(body)}` },
      };
}

/** Rejects a change by a client that has not seen the current state of the resource. */
function preconditionError(
  machine: RedfishMachine,
  { body }: Resource,
  request: IncomingMessage,
): RedfishResponse | undefined {
  if (machine.generation === 'early') return undefined;
  const expected = request.headers['if-match'];
  if (machine.personality.etags === 'rejected')
    return expected === undefined ? undefined : errorResponse(412, 'PreconditionFailed', 'ETags are not compared.');
  if (expected === undefined) return errorResponse(428, 'PreconditionRequired', 'If-Match is required.');
  const malfunctions = machine.malfunctions();
  const isStale = (malfunctions.staleChanges ?? 0) > 0;
  if (isStale) malfunctions.staleChanges!--;
  return isStale || expected !== etagOf(body!)
    ? errorResponse(412, 'PreconditionFailed', 'The resource has changed in the meantime.')
    : undefined;
}

function etagOf(body: Body): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}"`;
}

/** As OpenBMC does, gives a page that signs in a cookie instead of a token. */
function withCookie(request: IncomingMessage, response: RedfishResponse): RedfishResponse {
  const { 'x-auth-token': token, ...headers } = response.headers ?? {};
  if (token === undefined || request.headers['x-requested-with'] === undefined) return response;
  const host = request.headers.host?.split(':')[0];
  const cookie = `${sessionCookie}=${token}; Path=/; Domain=${host}; Secure; HttpOnly; SameSite=Strict`;
  return { ...response, headers: { ...headers, 'set-cookie': cookie } };
}

export function accountOf({ sessions, accounts }: RedfishMachine, request: IncomingMessage): LabAccount | undefined {
  const token = request.headers['x-auth-token'] ?? cookiePattern.exec(request.headers.cookie ?? '')?.[1];
  if (typeof token === 'string') return sessions.use(token)?.account;
  const [kind, credentials] = (request.headers.authorization ?? '').split(' ');
  if (kind !== 'Basic' || credentials === undefined) return undefined;
  const [name = '', ...password] = Buffer.from(credentials, 'base64').toString().split(':');
  return accounts.authenticate(name, password.join(':'));
}
