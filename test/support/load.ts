// Several clients at work on a fleet at once, as customers' programs are: they repeat a call that got no answer or a 503 under the
// same Idempotency-Key, and write down what was acknowledged. What they wrote down is then held against the API, the name
// server, the equipment and the event log.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import { anna } from './anna.ts';
import { nameOf } from './contacts.ts';
import { readEvents } from './event-stream.ts';
import type { Fleet } from './fleet.ts';
import { request } from './request.ts';
import { until } from './until.ts';

export interface Load extends AsyncDisposable {
  /** How often each answer was given: `200`, a code, or `nothing` where no whole answer came. */
  readonly seen: ReadonlyMap<string, number>;
  /** How many calls were acknowledged so far. Fails where a client met what no client should meet. */
  done(): number;
  /** Begins no more calls, and waits until those under way are settled: the server must be back. */
  stop(): Promise<void>;
  /** All that was acknowledged is there, once; every refusal was one of these. */
  check(allowed: readonly (ErrorCode | 'nothing')[]): Promise<void>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, unknown>;
}
type Settled = 'done' | 'unknown';

const pauseMs = 100;
const againMs = 150;
const answerMs = 60_000;
const serversUsed = 5;
const domain = 'load.test';
/** Told of what was done to equipment: it may have happened, or not. */
const unknownCodes = new Set(['bmc_unreachable', 'bmc_error', 'switch_unreachable', 'switch_error', 'device_busy']);

/** `urls` are the nodes, as they are now. The servers past the first five are the test's own. */
export async function startLoad(fleet: Fleet, urls: () => readonly string[]): Promise<Load> {
  const seen = new Map<string, number>();
  const stopping = new AbortController();
  /** The test has failed meanwhile: nobody waits for what is under way. */
  let isGivenUp = false;
  const contacts = new Map<string, string>();
  const records = new Map<string, string>();
  const reverse = new Map<string, string>();
  const power = new Map<number, 'on' | 'off' | 'unknown'>();
  const ports = new Map<number, 'up' | 'down' | 'unknown'>();
  const streamed: string[] = [];
  /** What a client met that no client should meet. */
  const failures: unknown[] = [];
  let acknowledged = 0;
  let calls = 0;

  /** One attempt: what was answered, undefined where nothing whole was. */
  async function attempt({ method, path, params }: Call, url: string, idempotencyKey: string) {
    try {
      const deadline = AbortSignal.timeout(answerMs);
      const headers = method === 'GET' ? {} : { 'idempotency-key': idempotencyKey };
      const answer = request<Refusal>({ url }, method, path, { key: fleet.key, params, headers });
      const late = new Promise<never>((_, reject) => deadline.addEventListener('abort', () => reject(deadline.reason)));
      return await Promise.race([answer, late]);
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') count('hung');
      return undefined;
    }
  }
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

  async function settle(call: Call, number: number): Promise<{ how: Settled; result: unknown }> {
    for (let turn = number; ; turn++) {
      if (isGivenUp) throw new Error('the load was given up');
      const nodes = urls();
      const answer = await attempt(call, nodes[turn % nodes.length]!, `load-${number}`);
      const code = answer === undefined ? 'nothing' : answer.status === 200 ? '200' : shapedCode(answer);
      count(code);
      if (code === 'overloaded') assert.equal(answer?.headers.get('retry-after'), '1');
      if (answer !== undefined && code === '200') {
        acknowledged++;
        return { how: 'done', result: answer.body.result };
      }
      const isUnknown = code.startsWith('idempotency_') || unknownCodes.has(code);
      // Of a record or contact one learns what became of it by asking again; equipment says honestly that it is not known.
      const isOfEquipment = call.path.startsWith('/v2/device') || call.path.startsWith('/v2/network/port');
      if (isUnknown && isOfEquipment) return { how: 'unknown', result: undefined };
      assert.ok(
        answer === undefined || answer.status > 500 || isUnknown,
        `${call.path}: ${JSON.stringify(answer?.body)}`,
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
    const wanted = ports.get(index) === 'down' ? 'up' : 'down';
    const params = { service: fleet.services[index]! };
    const method = wanted === 'up' ? 'PUT' : 'DELETE';
    const { how } = await settle({ method, path: '/v2/network/port', params }, number);
    ports.set(index, how === 'done' ? wanted : 'unknown');
  }
  async function read(number: number): Promise<void> {
    const service = fleet.services[number % fleet.services.length]!;
    const paths = ['/v2/account', `/v2/network/traffic/${service}`, `/v2/network/month/${service}`, '/v2/device/state'];
    await settle({ method: 'GET', path: paths[number % paths.length]!, params: {} }, number);
  }
  /** As a browser does: again from the last event, at any node. */
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
        // Cut off: it begins anew where it was.
      }
      await sleep(againMs);
    }
  }

  const zone = (await settle({ method: 'POST', path: '/v2/dns/domain', params: { domain } }, calls++)).result as string;
  // Each server and port belongs to one client, so that it is known what the last word on it was.
  const share = fleet.services.slice(0, serversUsed).map((_, index) => index);
  const turn = (indices: readonly number[], act: (index: number, number: number) => Promise<void>) => {
    let next = 0;
    return client((number) => act(indices[next++ % indices.length]!, number));
  };
  const clients = [
    // Its password is hashed, which costs more than all the rest.
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
    const wrong = [...seen.keys()].filter((what) => what !== '200' && !(allowed as readonly string[]).includes(what));
    assert.deepEqual(wrong, [], JSON.stringify([...seen]));
    const [url] = urls();
    const get = async <Result>(path: string, params = {}): Promise<Result> => {
      const { status, body } = await request<{ result: Result }>({ url: url! }, 'GET', path, {
        key: fleet.key,
        params,
      });
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      return body.result;
    };
    const made = await get<{ id: string; firstname: string }[]>('/v2/account/contact');
    const ours = made.filter(({ firstname }) => firstname.startsWith('Nr'));
    assert.deepEqual(sorted(ours.map(({ firstname, id }) => `${firstname} ${id}`)), sorted(pairs(contacts)));
    const kept = await get<{ name: string; type: string; content: string }[]>(`/v2/dns/record/${zone}`);
    const addresses = kept.filter(({ type }) => type === 'A').map(({ name, content }) => `${name} ${content}`);
    assert.deepEqual(sorted(addresses), sorted(pairs(records)));
    await checkNames();
    assert.deepEqual(
      [...power].filter(([index, state]) => state !== 'unknown' && fleet.bmcs[index]!.chassis.power !== state),
      [],
      'power is as it was last acknowledged',
    );
    assert.deepEqual(
      [...ports].filter(
        ([index, state]) => state !== 'unknown' && fleet.network.ports.get(index + 1)!.adminStatus !== state,
      ),
      [],
      'ports are as they were last acknowledged',
    );
    const underWay = async () => (await get<{ ended: string }[]>('/v2/action')).filter(({ ended }) => ended === '');
    await until(async () => (await underWay()).length === 0, { saw: underWay, patienceMs: 120_000 });
    await checkEvents(get);
  }

  /** The name server itself is asked, for the newest ones: a thousand questions would tell no more. */
  async function checkNames(): Promise<void> {
    const resolver = new Resolver({ timeout: 5000, tries: 4 });
    resolver.setServers([`${fleet.dns.address}:${fleet.dns.port}`]);
    for (const [name, content] of [...records].slice(-20)) assert.deepEqual(await resolver.resolve4(name), [content]);
    for (const [ip, name] of reverse) assert.deepEqual(await resolver.reverse(ip), [name]);
  }

  async function checkEvents(get: <Result>(path: string, params: object) => Promise<Result>): Promise<void> {
    const listed: string[] = [];
    for (let after: string | undefined; ;) {
      const cursor = after === undefined ? {} : { after };
      const page = await get<{ events: { id: string }[]; cursor: string }>('/v2/event', { limit: 1000, ...cursor });
      if (page.events.length === 0) break;
      listed.push(...page.events.map(({ id }) => id));
      after = page.cursor;
    }
    assert.equal(new Set(listed).size, listed.length, 'no event stands twice in the log');
    // The stream was ended with the load; what it told was the log from its beginning, in order, nothing left out or told twice.
    assert.deepEqual(streamed, listed.slice(0, streamed.length));
    assert.ok(streamed.length > 0);
  }

  return {
    seen,
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

interface Refusal {
  readonly success: boolean;
  readonly results: number;
  readonly result: { readonly code: string; readonly message: string };
}

/** A refusal in the documented shape, with a code of the list and that code's status. */
function shapedCode({ status, body }: { status: number; body: Refusal }): string {
  const code = body.result?.code;
  const text = JSON.stringify(body);
  assert.deepEqual([body.success, body.results, errorKinds[code as ErrorCode]?.status], [false, 0, status], text);
  assert.doesNotMatch(body.result.message, /postgres|sqlite|127\.|ECONN|\bat \//i, text);
  return code;
}

const pairs = (map: ReadonlyMap<string, string>): string[] => [...map].map(([one, other]) => `${one} ${other}`);
const sorted = (texts: readonly string[]): string[] => texts.toSorted();
