// From a request to its outcome: who asks, which resource, what is to be done, and whether the caller has seen the resource as
// it is now (ETags, as DMTF's specification has them).
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LabAccount } from './accounts.ts';
import type { RedfishMachine } from './machine.ts';
import { notAllowed, notFound, refusal, type Body, type Outcome } from './outcome.ts';
import type { Resource } from './resource.ts';
import { allResources } from './resources.ts';

const taskMonitor = /^\/redfish\/v1\/TaskService\/TaskMonitors\/([0-9]{1,9})$/;

export async function answer(machine: RedfishMachine, request: IncomingMessage, body: Body): Promise<Outcome> {
  const path = (request.url ?? '').split('?')[0]!.replace(/\/$/, '');
  const resource = allResources(machine)[path];
  const account = accountOf(machine, request);
  const isOpen = resource?.isOpen === true;
  if (account === undefined && !isOpen) return refusal(401, 'NoValidSession', 'There is no valid session.');
  const task = taskMonitor.exec(path)?.[1];
  if (task !== undefined && request.method === 'GET') return machine.tasks.look(task) ?? notFound;
  if (resource === undefined) return notFound;
  if (request.method === 'GET' || request.method === 'HEAD') return shown(machine, resource);
  const mayChange =
    isOpen || account?.role === 'Administrator' || (account?.role === 'Operator' && !resource.isProtected);
  if (!mayChange) return refusal(403, 'InsufficientPrivilege', 'The privileges of this account do not suffice.');
  if (request.method === 'POST' && resource.post !== undefined) return resource.post(body);
  if (request.method === 'DELETE' && resource.remove !== undefined) return resource.remove();
  if (request.method === 'PATCH' && resource.patch !== undefined)
    return unchanged(machine, resource, request) ?? resource.patch(body);
  return notAllowed;
}

function shown(machine: RedfishMachine, { body }: Resource): Outcome {
  if (body === undefined) return notAllowed;
  return machine.generation === 'early'
    ? { status: 200, body }
    : { status: 200, body, headers: { etag: etagOf(body) } };
}

/** Why the change may not be made: a client that does not know what it is changing. */
function unchanged(machine: RedfishMachine, { body }: Resource, request: IncomingMessage): Outcome | undefined {
  if (machine.generation === 'early') return undefined;
  const expected = request.headers['if-match'];
  if (expected === undefined) return refusal(428, 'PreconditionRequired', 'If-Match is required.');
  const faults = machine.faults();
  const isStale = (faults.staleChanges ?? 0) > 0;
  if (isStale) faults.staleChanges!--;
  return isStale || expected !== etagOf(body!)
    ? refusal(412, 'PreconditionFailed', 'The resource has been changed meanwhile.')
    : undefined;
}

function etagOf(body: Body): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}"`;
}

function accountOf({ sessions, accounts }: RedfishMachine, request: IncomingMessage): LabAccount | undefined {
  const token = request.headers['x-auth-token'];
  if (typeof token === 'string') return sessions.use(token)?.account;
  const [kind, credentials] = (request.headers.authorization ?? '').split(' ');
  if (kind !== 'Basic' || credentials === undefined) return undefined;
  const [name = '', ...password] = Buffer.from(credentials, 'base64').toString().split(':');
  return accounts.withPassword(name, password.join(':'));
}
