// SIGTERM under load: whoever sent a request gets its answer, and the process is gone soon and in order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContact } from '#test/support/contacts.ts';
import { startServer } from '#test/support/server.ts';

const connections = 32;

/** A client that holds one connection and knows exactly what it sent and got: fetch would try again by itself. */
async function client(url: URL, key: string): Promise<{ lost: number; answered: number }> {
  let answered = 0;
  for (;;) {
    const socket = connect(Number(url.port), url.hostname);
    try {
      await once(socket, 'connect');
    } catch {
      return { lost: 0, answered };
    }
    for (;;) {
      const answer = await exchange(socket, url, key);
      if (answer === undefined) return { lost: 1, answered };
      answered++;
      if (/^connection: close/im.test(answer)) break;
    }
    socket.destroy();
  }
}

/** Undefined where a request that was sent got no whole answer. */
function exchange(socket: Socket, url: URL, key: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (answer: string | undefined) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (head !== -1 && Buffer.byteLength(text.slice(head + 4)) >= length) finish(text);
    });
    socket.on('close', () => finish(undefined));
    socket.on('error', () => finish(undefined));
    socket.write(`GET /v2/account HTTP/1.1\r\nHost: ${url.host}\r\nX-API-KEY: ${key}\r\n\r\n`);
  });
}

describe('a server that is asked to stop', () => {
  test('answers every request that was sent and exits with 0 within 10 s', async () => {
    await using server = await startServer();
    const { key } = server.lab.customer;
    const url = new URL(server.url);
    const clients = Array.from({ length: connections }, () => client(url, key));
    // Changes are under way too: hashing a password takes longer than anything else here. The first of each connection has
    // been answered, so that the server has accepted it: what only waits in the kernel's queue is nobody's request yet.
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const eight = (first: number) =>
      Array.from({ length: 8 }, (_, number) => createContact(server.url, key, first + number, agent));
    await Promise.all(eight(0));
    const changes = eight(8);
    await sleep(500);
    const began = performance.now();
    const code = await server.kill('SIGTERM');
    const seconds = (performance.now() - began) / 1000;
    const told = await Promise.all(clients);
    assert.equal(code, 0);
    assert.ok(seconds < 10, `it took ${seconds} s`);
    assert.equal(
      told.reduce((sum, { lost }) => sum + lost, 0),
      0,
      JSON.stringify(told),
    );
    assert.ok(
      told.every(({ answered }) => answered > 0),
      JSON.stringify(told),
    );
    for (const change of await Promise.all(changes)) assert.match(change ?? 'lost', /^200 /);
    agent.destroy();
  });

  test('goes soon though connections stay open on which nobody asks anything', async () => {
    await using server = await startServer();
    const url = new URL(server.url);
    const idle = Array.from({ length: 8 }, () => connect(Number(url.port), url.hostname));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await exchange(idle[0]!, url, server.lab.customer.key);
    const closed = Promise.all(
      idle.map(
        (socket) =>
          new Promise((resolve) =>
            socket
              .on('error', () => {})
              .on('close', resolve)
              .resume(),
          ),
      ),
    );
    assert.equal(await server.kill('SIGTERM'), 0);
    await closed;
  });
});
