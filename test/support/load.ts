// Several clients working on a fleet at once, like customers' programs: they repeat a call without a response, or with
// a 503, under the same Idempotency-Key, and record what was acknowledged. The record is then compared with the API,
// the name server, the equipment and the event log.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import { anna, nameOf } from './contacts.ts';
import { readEvents } from './event-stream.ts';
import type { Fleet } from './fleet.ts';
import { request, requestResult, type Envelope, type ErrorResult } from './request.ts';
import { until } from './until.ts';

export interface Load extends AsyncDisposable {
  /** Number of responses by kind: `200`, an error code, or `nothing` if no complete response arrived. */
  readonly responseCounts: ReadonlyMap<string, number>;
  /** Returns the number of acknowledged calls. Throws if a client received something that no client should. */
  done(): number;
  /** Starts no further calls and waits until the pending ones are settled; the server must be running again. */
  stop(): Promise<void>;
  /** Checks that everything acknowledged exists exactly once, and that every error was one of these. */
  check(allowed: readonly (ErrorCode | 'nothing')[]): Promise<void>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, unknown>;
}
type Outcome = 'done' | 'unknown';

const pauseMs = 100;
const againMs = 150;
const responseTimeoutMs = 60_000;
const serversUsed = 5;
const domain = 'load.test';
/** Errors about equipment after which the outcome is unknown. */
const unknownCodes = new Set(['bmc_unreachable', 'bmc_error', 'switch_unreachable', 'switch_error', 'device_busy']);

/** `urls` returns the current instances. Servers beyond the first five are left to the test. */
export async function startLoad(fleet: Fleet, urls: () => readonly string[]): Promise<Load> {
  const responseCounts = new Map<string, number>();
  const stopping = new AbortController();
  /** Set when the test has failed: pending calls are abandoned. */
  let isGivenUp = false;
  const contacts = new Map<string, string>();
  const records = new Map<string, string>();
  const reverse = new Map<string, string>();
  const power = new Map<number, 'on' | 'off' | 'unknown'>();
  const ports = new Map<number, 'up' | 'down' | 'unknown'>();
  const streamed: string[] = [];
  /** Unexpected responses. */
  const failures: unknown[] = [];
  let acknowledged = 0;
  let calls = 0;

  /** Makes one attempt; returns undefined if no complete response arrived. */
  async function attempt({ method, path, params }: Call, url: string, idempotencyKey: string) {
    try {
      const deadline = AbortSignal.timeout(responseTimeoutMs);
      const headers = method === 'GET' ? {} : { 'idempotency-key': idempotencyKey };
      const response = request<Envelope<ErrorResult>>({ url }, method, path, { key: fleet.key, params, headers });
      const late = new Promise<never>((_, reject) => deadline.addEventListener('abort', () => reject(deadline.reason)));
      return await Promise.race([response, late]);
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') count('hung');
      return undefined;
    }
  }
  const count = (what: string): void => void responseCounts.set(what, (responseCounts.get(what) ?? 0) + 1);

  async function settle(call: Call, number: number): Promise<{ how: Outcome; result: unknown }> {
    for (let turn = number; ; turn++) {
      if (isGivenUp) throw new Error('the load was aborted');
      const nodes = urls();
      const response = await attempt(call, nodes[turn % nodes.length]!, `load-${number}`);
      const code = response === undefined ? 'nothing' : response.status === 200 ? '200' : shapedCode(response);
      count(code);
      if (code === 'overloaded') assert.equal(response?.headers.get('retry-after'), '1');
      if (response !== undefined && code === '200') {
        acknowledged++;
        return { how: 'done', result: response.body.result };
      }
      const isUnknown = code.startsWith('idempotency_') || unknownCodes.has(code);
      // Repeating the call reveals what happened to a record or a contact; for equipment the honest response is that it
      // is unknown.
      const isOfEquipment = call.path.startsWith('/v2/device') || call.path.startsWith('/v2/network/port');
      if (isUnknown && isOfEquipment) return { how: 'unknown', result: undefined };
      assert.ok(
        response === undefined || response.status > 500 || isUnknown,
        `${call.path}: ${JSON.stringify(response?.body)}`,
      );
      await sleep(againMs);
    }
  }

  async function client(next: (number: number) => Promise<void>, restMs = pauseMs): Promise<void> {
    while (!stopping.signal.aborted) {
      await next(calls++);
      await sleep(restMs);
    }
  }

  async function makeContact(number: number): Promise<void> {
    const params = { ...anna, firstname: nameOf(number) };
    const { result } = await settle({ method: 'POST', path: '/v2/account/contact', params }, number);
    contacts.set(nameOf(number), (result as { contactid: string }).contactid);
  }
  async function addRecord(number: number): Promise<void> {
    const [record, content] = [`r${number}.${domain}`, `10.64.${(number >> 8) & 255}.${number & 255}`];
    const params = { domain: zone, record, type: 'A', content };
    await settle({ method: 'POST', path: '/v2/dns/record', params }, number);
    records.set(record, content);
  }
  async function nameAddress(number: number): Promise<void> {
    const [ip, record] = [`10.64.0.${(number % fleet.services.length) + 1}`, `n${number}.${domain}`];
    await settle({ method: 'PUT', path: '/v2/dns/reverse', params: { ip, record } }, number);
    reverse.set(ip, record);
  }
  async function switchPower(index: number, number: number): Promise<void> {
    const action = power.get(index) === 'off' ? 'on' : 'off';
    const params = { service: fleet.services[index]!, action };
    const { how } = await settle({ method: 'POST', path: '/v2/device/power', params }, number);
    power.set(index, how === 'done' ? action : 'unknown');
  }
  async function switchPort(index: number, number: number): Promise<void> {
    const state = ports.get(index) === 'down' ? 'up' : 'down';
    const params = { service: fleet.services[index]! };
    const method = state === 'up' ? 'PUT' : 'DELETE';
    const { how } = await settle({ method, path: '/v2/network/port', params }, number);
    ports.set(index, how === 'done' ? state : 'unknown');
  }
  async function read(number: number): Promise<void> {
    const service = fleet.services[number % fleet.services.length]!;
    const paths = ['/v2/account', `/v2/network/traffic/${service}`, `/v2/network/month/${service}`, '/v2/device/state'];
    await settle({ method: 'GET', path: paths[number % paths.length]!, params: {} }, number);
  }
  /** Follows the event stream like a browser: resumes after the last event, on any instance. */
  async function follow(): Promise<void> {
    let lastEventId: string | undefined;
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const nodes = urls();
      try {
        const cursor = lastEventId === undefined ? {} : { lastEventId };
        await using stream = await readEvents({ url: nodes[turn % nodes.length]! }, { key: fleet.key, ...cursor });
        const over = () => void stream[Symbol.asyncDispose]();
        stopping.signal.addEventListener('abort', over);
        for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
          lastEventId = event.id;
          streamed.push(event.data.id);
        }
      } catch {
        // Disconnected: resumes from the last event.
      }
      await sleep(againMs);
    }
  }

  const zone = (await settle({ method: 'POST', path: '/v2/dns/domain', params: { domain } }, calls++)).result as string;
  // Each server and port belongs to one client, so that the last acknowledged command is known.
  const share = fleet.services.slice(0, serversUsed).map((_, index) => index);
  const turn = (indices: readonly number[], act: (index: number, number: number) => Promise<void>) => {
    let next = 0;
    return client((number) => act(indices[next++ % indices.length]!, number));
  };
  const clients = [
    // Hashing its password costs more than everything else.
    client(makeContact, 10 * pauseMs),
    client(addRecord),
    client(addRecord),
    client(nameAddress),
    turn(
      share.filter((index) => index % 2 === 0),
      switchPower,
    ),
    turn(
      share.filter((index) => index % 2 === 1),
      switchPower,
    ),
    turn(share, switchPort),
    client(read),
    follow(),
  ].map((work) => work.catch((error: unknown) => void failures.push(error)));

  async function check(allowed: readonly (ErrorCode | 'nothing')[]): Promise<void> {
    const unexpected = [...responseCounts.keys()].filter(
      (what) => what !== '200' && !(allowed as readonly string[]).includes(what),
    );
    assert.deepEqual(unexpected, [], JSON.stringify([...responseCounts]));
    const [url] = urls();
    const get = <Result>(path: string, params = {}): Promise<Result> =>
      requestResult<Result>({ url: url! }, 'GET', path, { key: fleet.key, params });
    const allContacts = await get<{ id: string; firstname: string }[]>('/v2/account/contact');
    const created = allContacts.filter(({ firstname }) => firstname.startsWith('Nr'));
    assert.deepEqual(sorted(created.map(({ firstname, id }) => `${firstname} ${id}`)), sorted(pairs(contacts)));
    const storedRecords = await get<{ name: string; type: string; content: string }[]>(`/v2/dns/record/${zone}`);
    const addresses = storedRecords.filter(({ type }) => type === 'A').map(({ name, content }) => `${name} ${content}`);
    assert.deepEqual(sorted(addresses), sorted(pairs(records)));
    await checkNames();
    assert.deepEqual(
      [...power].filter(([index, state]) => state !== 'unknown' && fleet.bmcs[index]!.chassis.power !== state),
      [],
      'power is as last acknowledged',
    );
    assert.deepEqual(
      [...ports].filter(
        ([index, state]) => state !== 'unknown' && fleet.network.ports.get(index + 1)!.adminStatus !== state,
      ),
      [],
      'ports are as last acknowledged',
    );
    const underWay = async () => (await get<{ ended: string }[]>('/v2/action')).filter(({ ended }) => ended === '');
    await until(async () => (await underWay()).length === 0, { saw: underWay, patienceMs: 120_000 });
    await checkEvents(get);
  }

  /**
   * Queries the name server itself, for the newest records only. It may take a moment to learn of changes by another
   * instance, and after the loss of a primary that only became read-only, until its connections are replaced.
   */
  async function checkNames(): Promise<void> {
    const resolver = new Resolver({ timeout: 5000, tries: 4 });
    resolver.setServers([`${fleet.dns.address}:${fleet.dns.port}`]);
    for (const [name, content] of [...records].slice(-20)) {
      await until(
        () =>
          resolver.resolve4(name).then(
            ([found]) => found === content,
            () => false,
          ),
        { saw: () => name },
      );
      assert.deepEqual(await resolver.resolve4(name), [content]);
    }
    for (const [ip, name] of reverse) assert.deepEqual(await resolver.reverse(ip), [name]);
  }

  async function checkEvents(get: <Result>(path: string, params: object) => Promise<Result>): Promise<void> {
    const eventIds: string[] = [];
    for (let after: string | undefined; ;) {
      const cursor = after === undefined ? {} : { after };
      const page = await get<{ events: { id: string }[]; cursor: string }>('/v2/event', { limit: 1000, ...cursor });
      if (page.events.length === 0) break;
      eventIds.push(...page.events.map(({ id }) => id));
      after = page.cursor;
    }
    assert.equal(new Set(eventIds).size, eventIds.length, 'no event is in the log twice');
    // The stream ended with the load; it delivered the log from the beginning, in order, without gaps or duplicates.
    assert.deepEqual(streamed, eventIds.slice(0, streamed.length));
    assert.ok(streamed.length > 0);
  }

  return {
    responseCounts,
    done() {
      if (failures.length > 0) throw failures[0];
      return acknowledged;
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      if (failures.length > 0) throw failures[0];
    },
    check,
    async [Symbol.asyncDispose]() {
      isGivenUp = true;
      stopping.abort();
      await Promise.all(clients);
    },
  };
}

/** Returns the code of a documented error response, checked against its status. */
export function shapedCode({ status, body }: { status: number; body: Envelope<ErrorResult> }): string {
  const code = body.result?.code;
  const text = JSON.stringify(body);
  assert.deepEqual([body.success, body.results, errorKinds[code as ErrorCode]?.status], [false, 0, status], text);
  assert.doesNotMatch(body.result.message, /postgres|sqlite|127\.|ECONN|\bat \//i, text);
  return code;
}

const pairs = (map: ReadonlyMap<string, string>): string[] => [...map].map(([key, value]) => `${key} ${value}`);
const sorted = (texts: readonly string[]): string[] => texts.toSorted();
