// A Redfish client with a session. It signs in on the first request and again when the session expires, retries while
// the service restarts, follows tasks, and uses ETags to avoid overwriting concurrent changes.
import { setTimeout as pause } from 'node:timers/promises';
import {
  openConnection,
  requireSuccess,
  type Connection,
  type RedfishResponse,
  type RedfishRequest,
} from './connection.ts';
import type { DriverWaits } from '../../waits.ts';
import { RedfishError } from './error.ts';
import { getLink, getText, type Json } from './json.ts';
import type { RedfishSettings } from './settings.ts';

export interface Resource {
  readonly path: string;
  readonly body: Json;
  readonly etag: string | undefined;
  readonly allow: readonly string[] | undefined;
}

export interface RedfishClient {
  /** The service root, where all links start. */
  root(signal: AbortSignal): Promise<Resource>;
  get(path: string, signal: AbortSignal): Promise<Resource>;
  post(path: string, body: Json, signal: AbortSignal): Promise<void>;
  /** Calls `change` with the current resource, and once more if the resource changed in between. */
  patch(path: string, change: (body: Json) => Json, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface Session {
  /** A token, or the credentials for a service without sessions. */
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string | undefined;
}

/** The only path that the specification defines. */
const rootPath = '/redfish/v1/';
const pollIntervalMs = 250;
const maxPollIntervalMs = 5000;
const signOutTimeoutMs = 2000;
/** States of a task that has not ended. */
const runningStates = new Set(
  'New Starting Running Pending Stopping Cancelling Service Suspended Interrupted'.split(' '),
);
const failedStates = new Set(['Exception', 'Killed', 'Cancelled']);

export function redfishClient(settings: RedfishSettings, waits?: DriverWaits): RedfishClient {
  const connection = openConnection(settings, waits);
  let session: Promise<Session> | undefined;

  function currentSession(signal: AbortSignal): Promise<Session> {
    if (session === undefined) {
      const opening = (session = signIn(connection, settings, signal));
      opening.catch(() => {
        if (session === opening) session = undefined;
      });
    }
    return session;
  }

  async function withSession(request: RedfishRequest, signal: AbortSignal): Promise<RedfishResponse> {
    for (let isRetry = false; ; isRetry = true) {
      const current = currentSession(signal);
      const headers = { ...request.headers, ...(await current).headers };
      const response = await connection.send({ ...request, headers }, signal);
      if (response.status !== 401 || isRetry) return response;
      if (session === current) session = undefined;
    }
  }

  /** Retries requests that the service did not process, until the caller's time is over. */
  async function retryWhileUnreachable(request: RedfishRequest, signal: AbortSignal): Promise<RedfishResponse> {
    let busy: RedfishError | undefined;
    for (;;) {
      try {
        const response = await withSession(request, signal);
        return response.status === 503 ? requireSuccess(response) : response;
      } catch (error) {
        if (!(error instanceof RedfishError) || (error.kind !== 'unreachable' && error.kind !== 'busy')) throw error;
        if (error.kind === 'busy') busy = error;
        // If time runs out while it restarts, it counts as busy rather than unreachable.
        const reason = busy ?? error;
        if (signal.aborted) throw reason;
        await pause(pollIntervalMs, undefined, { signal }).catch(() => {
          throw reason;
        });
      }
    }
  }

  async function followTask(first: RedfishResponse, signal: AbortSignal): Promise<void> {
    let response = first;
    for (;;) {
      const { location, body } = requireSuccess(response);
      const state = getText(body, 'TaskState') ?? '';
      if (failedStates.has(state)) throw new RedfishError('rejected', `the task ended as ${state}`);
      const isRunning = response.status === 202 || runningStates.has(state);
      const monitor = location ?? getText(body, 'TaskMonitor') ?? getText(body, '@odata.id');
      if (!isRunning || monitor === undefined) return;
      const waitMs = Math.min((response.retryAfterSeconds ?? 0) * 1000 || pollIntervalMs, maxPollIntervalMs);
      await pause(waitMs, undefined, { signal }).catch((cause: unknown) => {
        throw new RedfishError('unknown', 'the task has not ended', { cause });
      });
      response = await retryWhileUnreachable({ method: 'GET', path: monitor }, signal);
    }
  }

  async function get(path: string, signal: AbortSignal): Promise<Resource> {
    const { body, etag, allow } = requireSuccess(await retryWhileUnreachable({ method: 'GET', path }, signal));
    return { path, body, etag, allow };
  }

  return {
    root: (signal) => get(rootPath, signal),
    get,
    post: async (path, body, signal) =>
      followTask(await retryWhileUnreachable({ method: 'POST', path, body }, signal), signal),
    async patch(path, change, signal) {
      for (let attempt = 0; ; attempt++) {
        const { body, etag } = await get(path, signal);
        const conditions = conditionsFor(etag);
        const headers = conditions[attempt]!;
        const response = await retryWhileUnreachable({ method: 'PATCH', path, body: change(body), headers }, signal);
        if (response.status !== 412 || attempt + 1 >= conditions.length) return followTask(response, signal);
      }
    },
    remove: async (path, signal) => followTask(await retryWhileUnreachable({ method: 'DELETE', path }, signal), signal),
    async close() {
      const current = await session?.catch(() => undefined);
      if (current?.path !== undefined) {
        const signOut = { method: 'DELETE', path: current.path, headers: current.headers } as const;
        // Otherwise the session expires.
        await connection.send(signOut, AbortSignal.timeout(signOutTimeoutMs)).catch(() => {});
      }
      await connection.close();
    },
  };
}

/**
 * The conditions of a change, one for each attempt. Some services send weak ETags but compare strong ones, or accept
 * none of theirs.
 */
function conditionsFor(etag: string | undefined): Readonly<Record<string, string>>[] {
  if (etag === undefined) return [{}];
  const condition = { 'if-match': etag };
  return etag.startsWith('W/') ? [condition, { 'if-match': etag.slice(2) }, {}] : [condition, condition];
}

async function signIn(connection: Connection, settings: RedfishSettings, signal: AbortSignal): Promise<Session> {
  const root = await readRoot(connection, signal);
  if (getLink(root, 'Links', 'Sessions') === undefined && getLink(root, 'SessionService') === undefined) {
    const credentials = Buffer.from(`${settings.username}:${settings.password}`).toString('base64');
    return { headers: { authorization: `Basic ${credentials}` }, path: undefined };
  }
  const { token, path } = await openSession(connection, settings, signal);
  if (token === undefined) throw new RedfishError('badResponse', 'the session has no token');
  return { headers: { 'x-auth-token': token }, path };
}

async function readRoot(connection: Connection, signal: AbortSignal): Promise<Json> {
  return requireSuccess(await connection.send({ method: 'GET', path: rootPath }, signal)).body;
}

interface OpenedSession {
  readonly token: string | undefined;
  readonly path: string | undefined;
  readonly cookies: readonly string[];
}

/** Signs in. A service responds with a token, or with cookies if the headers are those of a page. */
export async function openSession(
  connection: Connection,
  { username, password }: Pick<RedfishSettings, 'username' | 'password'>,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenedSession> {
  const sessions = getLink(await readRoot(connection, signal), 'Links', 'Sessions');
  if (sessions === undefined) throw new RedfishError('badResponse', 'the service has no sessions');
  const body = { UserName: username, Password: password };
  const response = await connection
    .send({ method: 'POST', path: sessions, body, headers }, signal)
    .catch(asUnreachable);
  const { status } = response;
  // Some services respond to wrong credentials with 400.
  if (status === 400) throw new RedfishError('auth', 'no session', { status });
  // Not a sign that the service lacks what the caller wants to do next.
  if (status === 404 || status === 405 || status === 501)
    throw new RedfishError('badResponse', `signing in at ${sessions} failed with status ${status}`);
  const { token, location, cookies } = requireSuccess(response);
  return { token, path: location, cookies };
}

/** An extra session does no harm, so the request may be repeated. */
function asUnreachable(error: unknown): never {
  if (error instanceof RedfishError && error.kind === 'unknown')
    throw new RedfishError('unreachable', error.message, { cause: error });
  throw error;
}
