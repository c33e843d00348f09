// A process that calls Hostyard, as an honest customer or as one of the attackers, until its time is over and its
// standard input has ended. Prints what it counted, as JSON. It uses only Node's own modules, because it must start fast
// and cost little.
import { createSocket } from 'node:dgram';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CallerSettings {
  readonly role: 'honest' | AttackName;
  /** Both have to be over before it ends. */
  readonly seconds: number;
  readonly calls: number;
  readonly url: string;
  readonly keys: readonly string[];
  readonly dns: { readonly address: string; readonly port: number };
  /** The caller's own zone. */
  readonly zone: { readonly id: string; readonly name: string };
  readonly server: string;
  readonly service: string;
  readonly address: string;
  readonly invoice: string;
  /** The largest zone file that an attacker sends. */
  readonly records: number;
}

export interface CallerCounts {
  /** Responses by status, and what happened to connections and DNS queries. */
  readonly outcomes: Record<string, number>;
  /** Responses of the honest customer that were not what they should have been. */
  readonly wrong: string[];
  readonly latenciesMs: number[];
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

type Attack = (settings: CallerSettings, isOver: () => boolean) => Promise<void>;
export type AttackName = keyof typeof attacks;

const counts: CallerCounts = { outcomes: {}, wrong: [], latenciesMs: [] };
const agent = new Agent({ keepAlive: true, maxSockets: 128 });

function countOutcome(outcome: number | 'open' | 'closed' | 'truncated'): void {
  counts.outcomes[outcome] = (counts.outcomes[outcome] ?? 0) + 1;
}

function send(
  { url, role }: CallerSettings,
  method: string,
  path: string,
  { key, params, headers = {} }: { key?: string; params?: object; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const body = params === undefined ? '' : JSON.stringify(params);
  const allHeaders = {
    'x-forwarded-for': role === 'honest' ? '192.0.2.10' : '198.51.100.20',
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(params === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  };
  return new Promise((resolve) => {
    const fail = (): void => {
      countOutcome('closed');
      resolve({ status: 0, headers: {}, text: '' });
    };
    const sent = request(`${url}${path}`, { method, agent, headers: allHeaders }, (response) => {
      let text = '';
      // An attacker that looks at large responses would slow down the honest customer beside it.
      if (role === 'honest') response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      else response.resume();
      response.on('error', fail).on('end', () => {
        countOutcome(response.statusCode!);
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    sent.on('error', fail).end(body);
  });
}

/** Repeats the work in several lanes. A lane that was rejected pauses, as any client has to. */
function inLanes(lanes: number, pauseMs: number, work: (lane: number, round: number) => Promise<unknown>) {
  return async (isOver: () => boolean): Promise<void> => {
    const run = async (_: unknown, lane: number): Promise<void> => {
      for (let round = 0; !isOver(); round++) {
        await work(lane, round);
        await sleep(pauseMs);
      }
    };
    await Promise.all(Array.from({ length: lanes }, run));
  };
}

/** Reads and changes its own things, one call after the other and well within its rate limit, and checks each answer. */
async function callHonestly(settings: CallerSettings, isOver: () => boolean): Promise<void> {
  const { zone } = settings;
  const key = settings.keys[0]!;
  const call = async (method: string, path: string, params: object | undefined, expected: string): Promise<void> => {
    const startMs = performance.now();
    const { status, text } = await send(settings, method, path, { key, ...(params && { params }) });
    counts.latenciesMs.push(performance.now() - startMs);
    if (status !== 200 || !text.includes(expected))
      counts.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    await sleep(20);
  };
  const name = `r${process.pid}.${zone.name}`;
  const record = { domain: zone.id, record: name, type: 'A', content: '192.0.2.1' };
  await send(settings, 'POST', '/v2/dns/record', { key, params: record });
  const listed = await send(settings, 'GET', `/v2/dns/record/${zone.id}`, { key });
  const { result } = JSON.parse(listed.text) as { result: { id: string; name: string }[] };
  const { id } = result.find((candidate) => candidate.name === name)!;
  for (let round = 0; !isOver(); round++) {
    const content = `192.0.2.${round % 250}`;
    await call('GET', '/v2/account', undefined, '"email"');
    await call('PUT', '/v2/dns/record', { domain: zone.id, record: id, content }, 'Record Updated');
    await call('GET', `/v2/dns/record/${zone.id}`, undefined, `"${content}"`);
    await call('GET', `/v2/event?limit=5`, undefined, '"cursor"');
    await call('GET', `/v2/account/invoice?invoice=${settings.invoice}`, undefined, settings.invoice);
  }
}

const attacks = {
  'one Idempotency-Key for many calls': (settings, isOver) =>
    inLanes(4, 5, async (lane, round) => {
      const key = settings.keys[lane % settings.keys.length]!;
      const headers = { 'idempotency-key': `power-${process.pid}-${lane}-${round}` };
      const params = { service: settings.service, action: 'on' };
      const record = {
        domain: settings.zone.id,
        record: `i${lane}-${round}.${settings.zone.name}`,
        type: 'A',
        content: '192.0.2.1',
      };
      const calls = [1, 2, 3].flatMap(() => [
        send(settings, 'POST', '/v2/device/power', { key, params, headers }),
        send(settings, 'POST', '/v2/dns/record', {
          key,
          params: record,
          headers: { 'idempotency-key': `record-${process.pid}-${lane}-${round}` },
        }),
      ]);
      await Promise.all(calls);
    })(isOver),
  'DNS queries with many labels': async ({ dns, zone }, isOver) => {
    const socket = createSocket('udp4');
    socket.on('message', (answer) => countOutcome(answer[2]! & 2 ? 'truncated' : 200));
    const packet = longQuery(zone.name);
    for (; !isOver(); await sleep(10))
      for (let query = 0; query < 20; query++) socket.send(packet, dns.port, dns.address);
    socket.close();
  },
  'sign-ins from many addresses of one network': (settings, isOver) =>
    inLanes(64, 1, (lane, round) =>
      send(settings, 'POST', '/v2/session', {
        params: { email: `nobody${lane}@example.org`, password: `wrong ${round}` },
        headers: { 'x-forwarded-for': `2001:db8:0:1::${lane.toString(16)}:${round.toString(16)}` },
      }),
    )(isOver),
  'the reference without compression': (settings, isOver) =>
    inLanes(8, 1, () => send(settings, 'GET', '/docs/scalar.js', { headers: { 'accept-encoding': 'identity' } }))(
      isOver,
    ),
  'imports of large zones': (settings, isOver) => {
    const lines = Array.from(
      { length: settings.records },
      (_, index) => `h${index} 300 A 10.0.${index >> 8}.${index & 255}`,
    );
    const zonefile = ['@ 3600 NS ns1.example.net.', ...lines, ''].join('\n');
    return inLanes(settings.keys.length, 50, (lane, round) =>
      send(settings, 'POST', '/v2/dns/zonefile', {
        key: settings.keys[lane]!,
        params: { domain: settings.zone.id, zonefile: zonefile.replaceAll(' 10.0.', ` 10.${round % 200}.`) },
      }),
    )(isOver);
  },
  'large lists and documents': (settings, isOver) =>
    inLanes(40, 5, (lane, round) => {
      const paths = [
        `/v2/dns/record/${settings.zone.id}`,
        `/v2/account/invoice/pdf?invoice=${settings.invoice}`,
        `/v2/dns/zonefile/${settings.zone.id}`,
        `/v2/dns/history?domain=${settings.zone.id}&limit=100`,
        '/v2/account/audit',
      ];
      return send(settings, 'GET', paths[(lane + round) % paths.length]!, {
        key: settings.keys[lane % settings.keys.length]!,
      });
    })(isOver),
  'requests that never end': async ({ url, keys }, isOver) => {
    const { hostname, port } = new URL(url);
    const start = `POST /v2/dns/record HTTP/1.1\r\nhost: x\r\nx-api-key: ${keys[0]}\r\ncontent-type: application/json\r\n`;
    const sockets = Array.from({ length: 300 }, (_, index) => {
      const socket = connect(Number(port), hostname, () => countOutcome('open'));
      socket
        .on('error', () => countOutcome('closed'))
        .on('data', (answer) => countOutcome(Number(answer.toString('latin1', 9, 12))));
      socket.write(index % 2 === 0 ? start : `${start}content-length: 1000\r\n\r\n{`);
      return socket;
    });
    for (; !isOver(); await sleep(100)) for (const socket of sockets) if (socket.writable) socket.write('x');
    for (const socket of sockets) socket.destroy();
  },
  'event streams and consoles': (settings, isOver) =>
    inLanes(80, 20, async (lane) => {
      const key = settings.keys[lane % settings.keys.length]!;
      if (lane % 4 === 0) {
        const params = { service: settings.service };
        await send(settings, 'POST', '/v2/device/console', { key, params });
        return;
      }
      await openStream(settings, key, isOver);
    })(isOver),
  'null routes and address requests': (settings, isOver) =>
    inLanes(8, 5, (lane, round) => {
      const key = settings.keys[lane % settings.keys.length]!;
      const { server } = settings;
      return lane % 2 === 0
        ? send(settings, 'POST', '/network/nullroute', {
            key,
            params: { server, ip: settings.address, action: round % 2 === 0 ? 'add' : 'remove' },
          })
        : send(settings, 'POST', '/network/request', {
            key,
            params: { server, type: lane % 4 === 1 ? 'ipv6' : 'ipv4', size: lane % 4 === 1 ? '/64' : '/29' },
          });
    })(isOver),
  'metrics, searches, statements and a year of samples': (settings, isOver) =>
    inLanes(24, 5, (lane, round) => {
      const now = Math.floor(Date.now() / 1000);
      const paths = [
        '/v2/metrics',
        `/v2/dns/search?text=h${round}&limit=1000`,
        '/v2/account/statement/csv?from=2020-01-01&until=2026-12-31',
        '/v2/account/statement/pdf?from=2020-01-01&until=2026-12-31',
        `/v2/network/traffic/${settings.service}?start=${now - 34_000_000}&stop=${now}`,
        `/v2/device/usage/${settings.service}?start=${now - 34_000_000}&stop=${now}`,
      ];
      const key = settings.keys[lane % settings.keys.length]!;
      return send(settings, 'GET', paths[(lane + round) % paths.length]!, { key });
    })(isOver),
  'orders, plans, keys, groups, exports and webhooks': (settings, isOver) =>
    inLanes(12, 5, (lane, round) => {
      const key = settings.keys[lane % settings.keys.length]!;
      const name = `n${process.pid}-${lane}-${round}`;
      const power = { operation: 'devicePowerSet', params: { service: settings.service, action: 'off' } };
      const calls: [string, object][] = [
        ['/v2/machine', { plan: 'VPS small', system: 'debian-12', hostname: `${name}.example.net` }],
        ['/v2/plan', power],
        ['/v2/account/key', { name, scopes: ['dns:read'] }],
        ['/v2/machine/group', { name }],
        ['/v2/account/export', {}],
        ['/v2/account/webhook', { url: 'https://192.0.2.1/' }],
      ];
      const [path, params] = calls[(lane + round) % calls.length]!;
      return send(settings, 'POST', path, { key, params });
    })(isOver),
  'forged reports and console tickets': (settings, isOver) =>
    inLanes(32, 1, (lane) =>
      lane % 2 === 0
        ? send(settings, 'POST', '/hooks/payment-notices/stripe', { params: { filler: 'x'.repeat(60_000) } })
        : send(settings, 'GET', '/v2/device/console/socket?ticket=wrong', {
            headers: {
              connection: 'Upgrade',
              upgrade: 'websocket',
              'sec-websocket-version': '13',
              'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
            },
          }),
    )(isOver),
  'sign-ups and forgotten passwords': (settings, isOver) =>
    inLanes(32, 1, (lane, round) =>
      lane % 2 === 0
        ? send(settings, 'POST', '/v2/session/recovery', { params: { email: `nobody${lane}-${round}@example.org` } })
        : send(settings, 'POST', '/v2/account/challenge'),
    )(isOver),
  'large responses that are never read': async ({ url, keys, zone }, isOver) => {
    const { hostname, port } = new URL(url);
    const sockets: ReturnType<typeof connect>[] = [];
    for (let index = 0; !isOver(); index++) {
      const head = `GET /v2/dns/record/${zone.id} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.20\r\n`;
      const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(64), callback } });
      function callback(_: number, bytes: Uint8Array): boolean {
        countOutcome(Number(Buffer.from(bytes).toString('latin1', 9, 12)));
        // Reads no more.
        return false;
      }
      socket.on('error', () => countOutcome('closed'));
      socket.write(`${head}x-api-key: ${keys[index % keys.length]}\r\n\r\n`);
      sockets.push(socket);
      await sleep(5);
    }
    for (const socket of sockets) socket.destroy();
  },
} satisfies Record<string, Attack>;

export const attackNames = Object.keys(attacks) as AttackName[];
/** Their limits are tested elsewhere one by one. */
export const attacksInLongRuns: ReadonlySet<AttackName> = new Set([
  'metrics, searches, statements and a year of samples',
  'orders, plans, keys, groups, exports and webhooks',
  'forged reports and console tickets',
  'sign-ups and forgotten passwords',
  'large responses that are never read',
]);

/** Holds a stream open until the end, if the server lets it. */
function openStream({ url }: CallerSettings, key: string, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'x-api-key': key, accept: 'text/event-stream' };
    const sent = request(`${url}/v2/event`, { headers, agent: false }, (response) => {
      countOutcome(response.statusCode!);
      response.resume().on('close', resolve);
      const timer = setInterval(() => {
        if (!isOver()) return;
        clearInterval(timer);
        sent.destroy();
      }, 50);
      response.on('close', () => clearInterval(timer));
    });
    sent.on('error', () => resolve()).end();
  });
}

function longQuery(zone: string): Buffer {
  const labels = [...Array<string>(110).fill('x'), ...zone.split('.')];
  const name = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([Buffer.from('123401000001000000000000', 'hex'), ...name, Buffer.from('0000010001', 'hex')]);
}

if (import.meta.main) {
  const settings = JSON.parse(process.argv[2]!) as CallerSettings;
  let isStopped = false;
  process.stdin.resume().on('end', () => (isStopped = true));
  const endMs = performance.now() + settings.seconds * 1000;
  const isOver = (): boolean => {
    const calls = Object.values(counts.outcomes).reduce((sum, count) => sum + count, 0);
    return isStopped && calls >= settings.calls && performance.now() >= endMs;
  };
  const attack = settings.role === 'honest' ? callHonestly : attacks[settings.role];
  await attack(settings, isOver);
  console.log(JSON.stringify(counts));
  agent.destroy();
}
