// Invalid input for an HTTP port: requests with a byte too many or too few, wrong lengths, header floods, other
// protocols. Each is sent on its own connection, which must end.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#lab/bmc/malfunctions.ts';
import { pick, type Random } from './seeded.ts';
import type { TestApp } from './app.ts';

interface Request {
  readonly sent: string;
  /** Whether the server responds before the sender closes its side. */
  readonly isAnswered: boolean;
}

export interface Exchange extends Request {
  readonly received: string;
}

const mutated = 300;
const atOnce = 10;
const patienceMs = 120_000;

export async function rawExchanges(app: TestApp, seed: number): Promise<Exchange[]> {
  const random = seededRandom(seed);
  const { key } = app.lab.customer;
  const right = rightRequests(key);
  const mutations = Array.from({ length: mutated }, () => mutation(random, pick(random, right)));
  const waiting: Request[] = [
    ...[...right, ...oddRequests(key)].map((sent) => ({ sent, isAnswered: true })),
    ...[...unfinishedRequests(key), ...mutations].map((sent) => ({ sent, isAnswered: false })),
  ];
  const done: Exchange[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      done.push({ ...next, received: await exchange(app.url, next) });
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

function rightRequests(key: string): string[] {
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${key}\r\n`;
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
  return [
    `${head('GET /v2/account')}\r\n`,
    `${head('GET /v2/action?limit=5&status=Completed')}\r\n`,
    `${head('POST /vps/list')}${form}Content-Length: 0\r\n\r\n`,
    `${head('POST /client/contact')}${form}Content-Length: 7\r\n\r\nid=1234`,
    `${head('POST /v2/dns/domain')}${form}Transfer-Encoding: chunked\r\n\r\n7\r\ndomain=\r\n1\r\nx\r\n0\r\n\r\n`,
    `${head('PUT /v2/device/power')}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  ];
}

function oddRequests(key: string): string[] {
  const host = `Host: localhost\r\nX-API-KEY: ${key}\r\n`;
  const get = `GET /v2/account HTTP/1.1\r\n${host}`;
  const post = `POST /v2/dns/domain HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
  return [
    `GET  /v2/account  HTTP/1.1\r\n${host}\r\n`,
    `GET /v2/account HTTP/9.9\r\n${host}\r\n`,
    `GET http://localhost/v2/account HTTP/1.1\r\n${host}\r\n`,
    `GET //v2//account HTTP/1.1\r\n${host}\r\n`,
    `GET /v2/../v2/account HTTP/1.1\r\n${host}\r\n`,
    `GET /v2/account%00 HTTP/1.1\r\n${host}\r\n`,
    `GET /v2/account%ff%fe HTTP/1.1\r\n${host}\r\n`,
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /v2/account?${'a=1&'.repeat(3000)} HTTP/1.1\r\n${host}\r\n`,
    'GET /v2/account HTTP/1.1\r\n\r\n',
    `TRACE /v2/account HTTP/1.1\r\n${host}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `PROPFIND /v2/account HTTP/1.1\r\n${host}\r\n`,
    `${get}X-API-KEY: another\r\n\r\n`,
    `${get}${'X-Flood: 1\r\n'.repeat(900)}\r\n`,
    `${get}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    `${get}X-Nul: a\0b\r\n\r\n`,
    `${get} folded: 1\r\n\r\n`,
    `${get}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
    `${get}Expect: 100-continue\r\n\r\n`,
    `${get}Expect: the-impossible\r\n\r\n`,
    `${get}Range: bytes=0-1,5-2,-9\r\nIf-None-Match: "*\r\n\r\n`,
    `${get}\r\n`.repeat(50),
    `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
    `${post}Content-Length: -1\r\n\r\n{}`,
    `${post}Content-Length: 99999999999999999999\r\n\r\n{}`,
    `${post}Content-Length: 2000000\r\n\r\n{}`,
    `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v2/account HTTP/1.1\r\n\r\n`,
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`,
    `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${'X-Trailer: 1\r\n'.repeat(2000)}\r\n`,
    `${post}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
    `${post}Content-Length: ${2 * 50_000}\r\n\r\n${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'.padEnd(512, 'x'),
    'SSH-2.0-OpenSSH_9.2\r\n',
    'EHLO localhost\r\n',
  ];
}

/** The server waits for the rest of these, or disconnects. */
function unfinishedRequests(key: string): string[] {
  const host = `Host: localhost\r\nX-API-KEY: ${key}\r\n`;
  return [
    '',
    '\r\n\r\n\r\n',
    'GET /v2/account\r\n',
    `CONNECT localhost:22 HTTP/1.1\r\n${host}\r\n`,
    `POST /v2/dns/domain HTTP/1.1\r\n${host}Content-Length: 50\r\n\r\n{}`,
  ];
}

/** Removes, duplicates or replaces some bytes. */
function mutation(random: Random, text: string): string {
  let changed = text;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * changed.length);
    const length = Math.floor(random() * 8);
    const put = pick(random, [
      '',
      '\0',
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\t',
      ':',
      '%',
      '\xff',
      changed.slice(at, at + length),
    ]);
    changed = changed.slice(0, at) + put + changed.slice(at + pick(random, [0, 1, length]));
  }
  return changed;
}

/**
 * Returns what was received until either side closed. Ours closes once everything is sent, or, because the server drops
 * what it would respond to a closed side, once the response begins.
 */
async function exchange(url: string, { sent, isAnswered }: Request): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  // Being disconnected while sending is a valid outcome.
  socket.on('error', () => undefined);
  const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)));
  socket.on('end', () => socket.end());
  socket.write(Buffer.from(sent, 'latin1'));
  if (isAnswered) socket.once('data', () => socket.end());
  else socket.end();
  const patience = new AbortController();
  const isClosed = await Promise.race([closed, sleep(patienceMs, false, { signal: patience.signal })]);
  patience.abort();
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  if (!isClosed) throw new Error(`was held for ${patienceMs} ms by ${JSON.stringify(sent)}; it got ${text}`);
  return text;
}
