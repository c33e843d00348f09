// The daemon of these tests misbehaves; test/peers covers a healthy one.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fc } from '#test/support/fast-check.ts';
import { untilDefined } from '#test/support/until.ts';
import { libvirtClient, type LibvirtClient } from './client.ts';
import { LibvirtError } from './error.ts';
import {
  encodeMessage,
  keepalive,
  messageSplitter,
  messageStatus,
  messageType,
  program,
  type Message,
} from './message.ts';
import {
  authList,
  connectOpen,
  domainLookupByName,
  domainOpenConsole,
  domainReset,
  qemuDomainAgentCommand,
  storageVolWipe,
} from './procedures.ts';
import { encode, int32, list, optional, struct, text as textType, uint32 } from './xdr.ts';

const domain = { name: 'vm', uuid: Buffer.alloc(16, 7), id: 3 };
const nothing = Buffer.alloc(0);
const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);

interface Daemon extends AsyncDisposable {
  readonly client: LibvirtClient;
  readonly logins: number;
  hangUp(): void;
}

/** Accepts every login, and passes all other messages to the test. */
async function startDaemon(
  on: (message: Message, send: (response: Partial<Message>) => void, socket: Socket) => void,
): Promise<Daemon> {
  const folder = await mkdtemp(join(tmpdir(), 'hostyard-libvirt-'));
  const path = join(folder, 'sock');
  const sockets = new Set<Socket>();
  let logins = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const split = messageSplitter();
    socket.on('data', (chunk: Buffer) => {
      for (const message of split(chunk)) {
        const send = (response: Partial<Message>): void =>
          void socket.write(encodeMessage({ ...message, type: messageType.reply, payload: nothing, ...response }));
        if (message.procedure === authList.number) send({ payload: encode(list(int32), [0]) });
        else if (message.procedure === connectOpen.number) {
          logins++;
          send({});
        } else on(message, send, socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const client = libvirtClient({ socket: path, uri: 'qemu:///system' });
  return {
    client,
    get logins() {
      return logins;
    },
    hangUp: () => sockets.forEach((socket) => socket.destroy()),
    async [Symbol.asyncDispose]() {
      await client.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function domains(name: string): Buffer {
  return encode(domainLookupByName.result, { dom: { ...domain, name } });
}
const nameOf = (message: Message): string => message.payload.subarray(4).toString().replaceAll('\0', '');
const lookUp = (client: LibvirtClient, name: string) => client.call(domainLookupByName, { name }, testTimeout());
const openConsole = ({ client }: Daemon) =>
  client.openStream(domainOpenConsole, { dom: domain, device: undefined, flags: 0 }, testTimeout());
const failing = (kind: string) => (error: unknown) => error instanceof LibvirtError && error.kind === kind;

describe('the libvirt client', () => {
  it('matches responses to calls in any order over one connection', async () => {
    const waiting: (() => void)[] = [];
    await using daemon = await startDaemon((message, send) => {
      waiting.push(() => send({ payload: domains(nameOf(message)) }));
      if (waiting.length === 5) for (const response of waiting.reverse()) response();
    });
    const names = ['vm-1', 'vm-2', 'vm-3', 'vm-4', 'vm-5'];
    const results = await Promise.all(names.map((name) => lookUp(daemon.client, name)));
    assert.deepEqual(
      results.map(({ dom }) => dom.name),
      names,
    );
    assert.equal(daemon.logins, 1);
  });

  // libvirtd starts a stream before it has sent the response, in another thread.
  it('loses nothing of a stream, wherever its messages are split and wherever the response is among them', async () => {
    const anyOrder = fc.record({
      texts: fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 4 }),
      response: fc.nat(5),
      cuts: fc.array(fc.nat(300), { maxLength: 6 }),
    });
    let next: typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;
    await using daemon = await startDaemon((message, _, socket) => {
      if (message.type !== messageType.call) return;
      const stream = { ...message, type: messageType.stream, status: messageStatus.continue };
      const messages: Message[] = [...next.texts, ''].map((data) => ({ ...stream, payload: Buffer.from(data) }));
      messages.splice(next.response, 0, { ...message, type: messageType.reply, payload: nothing });
      const bytes = Buffer.concat(messages.map(encodeMessage));
      const ends = [...next.cuts, bytes.length].map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b);
      void ends.reduce(async (before, end, index) => {
        await before;
        socket.write(bytes.subarray(ends[index - 1] ?? 0, end));
        await setImmediate();
      }, Promise.resolve());
    });
    await fc.assert(
      fc.asyncProperty(anyOrder, async (order) => {
        next = order;
        const stream = addAbortSignal(AbortSignal.timeout(10_000), await openConsole(daemon));
        assert.equal(await text(stream), order.texts.join(''));
      }),
      { numRuns: 50 },
    );
  });

  it('survives a stream that fails together with the response', async () => {
    await using daemon = await startDaemon((message, _, socket) => {
      const reply = encodeMessage({ ...message, type: messageType.reply, payload: nothing });
      socket.write(Buffer.concat([reply, Buffer.alloc(28, 255)]));
    });
    await assert.rejects(openConsole(daemon), failing('badResponse'));
  });

  it('reports a rejection with its code and message', async () => {
    const error = struct({ code: int32, domain: int32, message: optional(textType), level: int32 });
    const payload = encode(error, { code: 42, domain: 10, message: 'Domain not found', level: 2 });
    await using daemon = await startDaemon((_, send) => send({ status: messageStatus.error, payload }));
    await assert.rejects(lookUp(daemon.client, 'vm'), {
      kind: 'rejected',
      code: 42,
      message: 'Domain not found',
    });
  });

  it('stops waiting when its caller aborts, and ignores the late response', async () => {
    const late: (() => void)[] = [];
    let isSilent = true;
    await using daemon = await startDaemon((message, send) => {
      const response = (): void => send({ payload: domains(nameOf(message)) });
      if (isSilent) late.push(response);
      else response();
    });
    const aborted = daemon.client.call(domainLookupByName, { name: 'a' }, AbortSignal.timeout(50));
    await assert.rejects(aborted, failing('timeout'));
    isSilent = false;
    for (const response of late) response();
    assert.equal((await lookUp(daemon.client, 'b')).dom.name, 'b');
  });

  it('reconnects once for all callers after the daemon disconnected, and does not repeat pending calls', async () => {
    let resets = 0;
    await using daemon = await startDaemon((message, send, socket) => {
      if (message.procedure !== domainReset.number) return send({ payload: domains(nameOf(message)) });
      resets++;
      return void socket.destroy();
    });
    await assert.rejects(
      daemon.client.call(domainReset, { dom: domain, flags: 0 }, testTimeout()),
      failing('unreachable'),
    );
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => lookUp(daemon.client, name)));
    assert.deepEqual([resets, daemon.logins], [1, 2]);
  });

  /** Works on five calls of a connection at a time, as libvirtd does, and does not read the next one before. */
  const startLimitedDaemon = (on: Parameters<typeof startDaemon>[0]): Promise<Daemon> => {
    const connections = new Map<Socket, { running: number; unread: (() => void)[] }>();
    return startDaemon((message, send, socket) => {
      const connection = connections.get(socket) ?? { running: 0, unread: [] };
      connections.set(socket, connection);
      const start = (): void => {
        connection.running++;
        const respond = (response: Partial<Message>): void => {
          connection.running--;
          send(response);
          connection.unread.shift()?.();
        };
        on(message, respond, socket);
      };
      if (connection.running < 5) start();
      else connection.unread.push(start);
    });
  };
  const ask = ({ client }: Daemon, signal: AbortSignal) =>
    client.call(qemuDomainAgentCommand, { dom: domain, command: '{}', timeoutSeconds: 5, flags: 0 }, signal);
  const volume = { pool: 'p', name: 'n', key: 'k' };

  it('does not wait for guests and copies with what the daemon answers at once', async () => {
    await using daemon = await startLimitedDaemon((message, send) => {
      if (message.procedure === domainLookupByName.number) send({ payload: domains(nameOf(message)) });
    });
    const stop = new AbortController();
    const hanging = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? ask(daemon, stop.signal)
        : daemon.client.call(storageVolWipe, { volume, flags: 0 }, stop.signal),
    );
    const failures = Promise.allSettled(hanging);
    await Promise.all(
      ['a', 'b'].map((name) => daemon.client.call(domainLookupByName, { name }, AbortSignal.timeout(10_000))),
    );
    stop.abort();
    const kinds = (await failures).map((result) =>
      result.status === 'rejected' ? (result.reason as LibvirtError).kind : '',
    );
    // The daemon has ten of them, and the others were never sent.
    assert.deepEqual(
      ['timeout', 'busy'].map((kind) => kinds.filter((other) => other === kind).length),
      [10, 20],
    );
  });

  it('sends the next call that waits for a guest when the daemon has answered one, even if its caller is gone', async () => {
    const answers: (() => void)[] = [];
    let isSilent = true;
    const payload = encode(qemuDomainAgentCommand.result, { result: '{}' });
    await using daemon = await startLimitedDaemon((_, send) => {
      const answer = (): void => send({ payload });
      if (isSilent) answers.push(answer);
      else answer();
    });
    const giveUp = () => assert.rejects(ask(daemon, AbortSignal.timeout(300)), failing('timeout'));
    await Promise.all(Array.from({ length: 8 }, giveUp));
    await assert.rejects(ask(daemon, AbortSignal.timeout(50)), failing('busy'));
    isSilent = false;
    const next = ask(daemon, testTimeout());
    answers.shift()!();
    assert.deepEqual(await next, { result: '{}' });
    // A connection that is gone has no calls.
    daemon.hangUp();
    await untilDefined(() => ask(daemon, testTimeout()).catch(() => undefined));
    const many = await Promise.all(Array.from({ length: 20 }, () => ask(daemon, testTimeout())));
    assert.equal(many.length, 20);
  });

  it('responds to pings', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await using daemon = await startDaemon((message, send) => {
      if (message.program === program.keepalive) {
        assert.deepEqual([message.procedure, message.type], [keepalive.pong, messageType.event]);
        return resolve();
      }
      const ping = { program: program.keepalive, procedure: keepalive.ping, type: messageType.event, serial: 0 };
      send(ping);
      return send({ payload: domains('vm') });
    });
    await lookUp(daemon.client, 'vm');
    await promise;
  });

  it('rejects malformed responses', async () => {
    await using daemon = await startDaemon((_, send) => send({ payload: encode(uint32, 7) }));
    await assert.rejects(lookUp(daemon.client, 'vm'), failing('badResponse'));
    await using garbled = await startDaemon((_, __, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await assert.rejects(lookUp(garbled.client, 'vm'), failing('badResponse'));
  });

  it('carries a stream both ways beside other calls, and ends it when the daemon has received everything', async () => {
    let typed = '';
    await using daemon = await startDaemon((message, send) => {
      if (message.procedure !== domainOpenConsole.number) return send({ payload: domains('vm') });
      if (message.type === messageType.call) return send({});
      if (message.status === messageStatus.ok) return send({ type: messageType.stream });
      typed += message.payload.toString();
      return send({ type: messageType.stream, payload: Buffer.from(`<${message.payload.toString()}>`) });
    });
    const stream = await openConsole(daemon);
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));
    stream.write('one');
    await lookUp(daemon.client, 'vm');
    stream.end('two');
    await finished(stream);
    assert.deepEqual([typed, received], ['onetwo', '<one><two>']);
  });

  it('ends a stream whose connection breaks', async () => {
    await using daemon = await startDaemon((_, send) => send({}));
    const stream = await openConsole(daemon);
    const ended = finished(stream.resume());
    daemon.hangUp();
    await assert.rejects(ended, failing('unreachable'));
  });

  it('reports a missing listener immediately', async () => {
    const client = libvirtClient({ socket: join(tmpdir(), 'hostyard-no-such-socket'), uri: 'qemu:///system' });
    await assert.rejects(lookUp(client, 'vm'), failing('unreachable'));
    await client.close();
    await assert.rejects(lookUp(client, 'vm'), failing('unreachable'));
  });
});
