// A Redfish client with a session: it signs in with the first request and again when the session has lapsed, waits for a
// service that is just restarting, follows tasks to their end, and changes only what nobody else changed meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { openConnection, succeeded, type Answer, type Exchange } from './connection.ts';
import { RedfishError } from './error.ts';
import { linkIn, textIn, type Json } from './json.ts';
import type { RedfishSettings } from './settings.ts';

export interface Resource {
  readonly path: string;
  readonly body: Json;
  readonly etag: string | undefined;
  readonly allow: readonly string[] | undefined;
}

export interface RedfishClient {
  /** The root of the service, from which all links begin. */
  root(signal: AbortSignal): Promise<Resource>;
  get(path: string, signal: AbortSignal): Promise<Resource>;
  post(path: string, body: Json, signal: AbortSignal): Promise<void>;
  /** `change` is asked with the resource as it is, once more where it was changed in between. */
  patch(path: string, change: (body: Json) => Json, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface Session {
  readonly token: string;
  readonly path: string | undefined;
}

/** The one path that the specification fixes. */
const rootPath = '/redfish/v1/';
const lookAgainMs = 250;
const longestLookAgainMs = 5000;
const longestPatienceMs = 60_000;
const farewellMs = 2000;
/** States in which a task has not come to its end. */
const underWay = new Set('New Starting Running Pending Stopping Cancelling Service Suspended Interrupted'.split(' '));
const goneWrong = new Set(['Exception', 'Killed', 'Cancelled']);

export function redfishClient(settings: RedfishSettings): RedfishClient {
  const connection = openConnection(settings);
  let session: Promise<Session> | undefined;

  async function signIn(signal: AbortSignal): Promise<Session> {
    const root = succeeded(await connection.exchange({ method: 'GET', path: rootPath }, signal));
    const sessions = linkIn(root.body, 'Links', 'Sessions');
    if (sessions === undefined) throw new RedfishError('badAnswer', 'the service has no sessions');
    const body = { UserName: settings.username, Password: settings.password };
    const answer = await connection.exchange({ method: 'POST', path: sessions, body }, signal).catch(harmless);
    // Services differ in how they refuse a name and a password.
    if (answer.status === 400) throw new RedfishError('refused', 'no session', { status: answer.status });
    const { token, location } = succeeded(answer);
    if (token === undefined) throw new RedfishError('badAnswer', 'the session has no token');
    return { token, path: location };
  }

  function signedIn(signal: AbortSignal): Promise<Session> {
    if (session === undefined) {
      const opening = (session = signIn(signal));
      opening.catch(() => {
        if (session === opening) session = undefined;
      });
    }
    return session;
  }

  async function withSession(request: Exchange, signal: AbortSignal): Promise<Answer> {
    for (let isSecond = false; ; isSecond = true) {
      const own = signedIn(signal);
      const headers = { ...request.headers, 'x-auth-token': (await own).token };
      const answer = await connection.exchange({ ...request, headers }, signal);
      if (answer.status !== 401 || isSecond) return answer;
      if (session === own) session = undefined;
    }
  }

  /** What was not heard is said again until it is, or the time is over. */
  async function patiently(request: Exchange, signal: AbortSignal): Promise<Answer> {
    const until = performance.now() + longestPatienceMs;
    let busy: RedfishError | undefined;
    for (;;) {
      try {
        const answer = await withSession(request, signal);
        return answer.status === 503 ? succeeded(answer) : answer;
      } catch (error) {
        if (!(error instanceof RedfishError) || (error.kind !== 'unreachable' && error.kind !== 'busy')) throw error;
        if (error.kind === 'busy') busy = error;
        // Where the time is over before it answered once more, it was busy rather than gone.
        const reason = busy ?? error;
        if (signal.aborted || performance.now() > until) throw reason;
        await pause(lookAgainMs, undefined, { signal }).catch(() => {
          throw reason;
        });
      }
    }
  }

  async function finished(first: Answer, signal: AbortSignal): Promise<void> {
    let answer = first;
    for (;;) {
      const { location, body } = succeeded(answer);
      const state = textIn(body, 'TaskState') ?? '';
      if (goneWrong.has(state)) throw new RedfishError('rejected', `the task ended as ${state}`);
      const isRunning = answer.status === 202 || underWay.has(state);
      const monitor = location ?? textIn(body, 'TaskMonitor') ?? textIn(body, '@odata.id');
      if (!isRunning || monitor === undefined) return;
      const waitMs = Math.min((answer.retryAfterSeconds ?? 0) * 1000 || lookAgainMs, longestLookAgainMs);
      await pause(waitMs, undefined, { signal }).catch((cause: unknown) => {
        throw new RedfishError('unknown', 'the task has not ended', { cause });
      });
      answer = await patiently({ method: 'GET', path: monitor }, signal);
    }
  }

  async function get(path: string, signal: AbortSignal): Promise<Resource> {
    const { body, etag, allow } = succeeded(await patiently({ method: 'GET', path }, signal));
    return { path, body, etag, allow };
  }

  return {
    root: (signal) => get(rootPath, signal),
    get,
    post: async (path, body, signal) => finished(await patiently({ method: 'POST', path, body }, signal), signal),
    async patch(path, change, signal) {
      for (let isSecond = false; ; isSecond = true) {
        const { body, etag } = await get(path, signal);
        const headers = etag === undefined ? {} : { 'if-match': etag };
        const answer = await patiently({ method: 'PATCH', path, body: change(body), headers }, signal);
        if (answer.status !== 412 || isSecond) return finished(answer, signal);
      }
    },
    remove: async (path, signal) => finished(await patiently({ method: 'DELETE', path }, signal), signal),
    async close() {
      const own = await session?.catch(() => undefined);
      if (own?.path !== undefined) {
        const farewell = { method: 'DELETE', path: own.path, headers: { 'x-auth-token': own.token } } as const;
        // A session that stays lapses by itself.
        await connection.exchange(farewell, AbortSignal.timeout(farewellMs)).catch(() => {});
      }
      await connection.close();
    },
  };
}

/** A session more or less is no harm: asking for one may be repeated. */
function harmless(error: unknown): never {
  if (error instanceof RedfishError && error.kind === 'unknown')
    throw new RedfishError('unreachable', error.message, { cause: error });
  throw error;
}
