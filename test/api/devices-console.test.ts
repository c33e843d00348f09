// The two consoles of a dedicated server: the launcher file with its temporary user, and the serial line in a browser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { logsIn } from '#test/support/bmc-login.ts';
import { rejectedUpgrade, upgradeStatus, requestTicket, watchConsole, watchConsoleAt } from '#test/support/console.ts';
import { connectForward, launch, openScreen } from '#test/support/console-gateway.ts';
import { openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { takeServer } from '#test/support/handover.ts';
import { operatorResult } from '#test/support/operators.ts';
import { createKey, request, type TestResponse } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';

async function suspendService({ app, service }: TestDevice): Promise<void> {
  const services = app.parts.store.queries.updateTable('services').where('id', '=', Number(service));
  await services.set({ status: 'Suspended' }).execute();
}

function lockDevice({ app, server }: TestDevice): Promise<void> {
  return operatorResult(app, 'POST', 'device/lock', { device: server, reason: 'evidence' });
}

describe('the console launcher', { concurrency: 2 }, () => {
  it('is a file with a user created for this session only', async () => {
    await using device = await openDevice();
    const { file, host, username, password, results } = await launch(device);
    assert.equal(results, 1);
    assert.match(
      file,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<jnlp [^>]*codebase="https:\/\/localhost:[0-9]+\/">/,
    );
    assert.equal(host, 'localhost');
    assert.equal(await logsIn(device.bmc, { username, password }), true);
    assert.equal(await logsIn(device.bmc, { username, password }, 'administrator'), false);
    const next = await device.legacy('/ipmi/kvm');
    assert.match(Buffer.from(next.body.result as string, 'base64').toString(), /<jnlp /);
    assert.equal(await logsIn(device.bmc, { username, password }), false, 'the previous session has ended');
  });

  it('ends when it is reset, together with its user', async () => {
    await using device = await openDevice();
    const session = await launch(device);
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    assert.equal(await logsIn(device.bmc, session), false);
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
  });

  it('is reset on the controller too: a serial session that Hostyard did not open ends', async () => {
    await using device = await openDevice();
    const { address, port, username, password } = device.app.equipment.bmcs[0]!;
    await using fleet = await openFleet();
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<Error>();
    const foreign = fleet.bmc({ address, port, username, password });
    await foreign.openConsole({ onData: () => {}, onEnd, whenTaken: 'fail' });
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    assert.match(String(await Promise.race([ended, pause(5000, 'still open')])), /the BMC closed the serial console/);
    assert.equal(device.bmc.hasConsole(), false);
  });

  it('ends after an hour, even if the BMC is unreachable at that time', async () => {
    await using device = await openDevice();
    const session = await launch(device);
    const customers = await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' });
    const ending = consoleUsers(device.app.parts);
    const tend = () => ending.run(new AbortController().signal);
    device.app.pass(3_500_000);
    await tend();
    assert.equal(await logsIn(device.bmc, session), true);
    device.app.pass(200_000);
    device.bmc.setMalfunctions({ isSilent: true });
    await tend();
    device.bmc.setMalfunctions({});
    assert.equal(await logsIn(device.bmc, session), true);
    device.app.pass(61_000);
    await tend();
    assert.equal(await logsIn(device.bmc, session), false);
    assert.equal(await logsIn(device.bmc, customers.body.result as typeof session), true);
  });

  it('reveals nothing about the BMC, and neither does any other response', async () => {
    await using device = await openDevice();
    const { address, port, username, password } = device.app.equipment.bmcs[0]!;
    const responses: TestResponse<unknown>[] = [
      await device.v2('GET', 'console'),
      await device.legacy('/ipmi/kvm'),
      await device.v2('GET', 'hardware'),
      await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' }),
      await device.v2('POST', 'console'),
      await request(device.app, 'GET', '/v2/device/list', { key: device.app.lab.customer.key }),
    ];
    device.bmc.setMalfunctions({ rejectsSessions: true });
    await device.app.parts.bmcs.use(device.server, async (bmc) => bmc[Symbol.asyncDispose]());
    responses.push(await device.v2('GET', 'power'), await device.legacy('/ipmi/kvm'));
    for (const { body } of responses) {
      const { result } = body as { result: unknown };
      const isFile = typeof result === 'string' && result.startsWith('PD94');
      const text = isFile ? Buffer.from(result, 'base64').toString() : JSON.stringify(body);
      for (const secret of [address, String(port), username, password])
        assert.ok(!text.includes(secret), `${secret}: ${text}`);
    }
  });
});

describe('the serial console in a browser', { concurrency: 3 }, () => {
  it('shows earlier output, accepts keys and a break, and shows every viewer the same', async () => {
    await using device = await openDevice();
    await using first = await watchConsole(device);
    first.type('\r');
    await first.shows('web1 login: ');
    first.type('root\r');
    await first.shows('Password: ');
    first.type('root\r');
    await first.shows('root@web1:~# ');
    await using second = await watchConsole(device);
    await second.shows('root@web1:~# ');
    first.sendBreak();
    first.type('h');
    await second.shows('sysrq: HELP');
    second.type('uname -a\r');
    await first.shows('x86_64 GNU/Linux');
    await second.shows('x86_64 GNU/Linux');
    assert.ok(first.text().endsWith(second.text()) || second.text().endsWith(first.text()));
  });

  it('keeps what was printed while nobody watched', async () => {
    await using device = await openDevice();
    device.app.parts.serialLines.start();
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('nobody saw this\r\n');
    await using viewer = await watchConsole(device);
    await viewer.shows('nobody saw this');
  });

  it('opens with a ticket once, within a minute', async () => {
    await using device = await openDevice();
    const { url, ticket, expires } = await requestTicket(device);
    assert.deepEqual([url, expires], [`/v2/device/console/socket?ticket=${ticket}`, '60']);
    assert.equal(await upgradeStatus(device.app.url, url), 101);
    assert.equal(await upgradeStatus(device.app.url, url), 401);
    assert.equal(await upgradeStatus(device.app.url, '/v2/device/console/socket'), 401);
    assert.equal(await upgradeStatus(device.app.url, `${url.slice(0, -1)}!`), 401);
    assert.equal(await upgradeStatus(device.app.url, '/v2/account'), 404);
    const late = await requestTicket(device);
    device.app.pass(60_001);
    assert.equal(await upgradeStatus(device.app.url, late.url), 401);
    assertRejected(await device.v2('POST', 'console', {}, device.app.lab.stranger.key), 404, 'not_found');
  });

  it('allows ten viewers, and another when one of them has left', async () => {
    await using device = await openDevice();
    await using viewers = new AsyncDisposableStack();
    const first = await watchConsole(device);
    for (let count = 1; count < 10; count++) viewers.use(await watchConsole(device));
    const eleventh = async (): Promise<number> => upgradeStatus(device.app.url, (await requestTicket(device)).url);
    assert.equal(await eleventh(), 429);
    await first[Symbol.asyncDispose]();
    await until(async () => (await eleventh()) === 101);
  });

  it('opens only from the address that the ticket was issued to, also behind a proxy', async () => {
    await using device = await openDevice({ trustedProxies: ['127.0.0.1'] });
    const at = (address: string) => ({ 'x-forwarded-for': address });
    const wrong = await requestTicket(device, { headers: at('203.0.113.5') });
    assert.equal(await upgradeStatus(device.app.url, wrong.url, at('203.0.113.6')), 401);
    assert.equal(
      await upgradeStatus(device.app.url, wrong.url, at('203.0.113.5')),
      401,
      'a ticket that was tried is used up',
    );
    const right = await requestTicket(device, { headers: at('203.0.113.5') });
    assert.equal(await upgradeStatus(device.app.url, right.url, at('198.51.100.1, 203.0.113.5')), 101);
  });

  it('ends with its key, whether revoked before or during the session', async () => {
    await using device = await openDevice();
    const owner = device.app.lab.customer.key;
    const make = () => createKey(device.app, owner, { scopes: ['device:console'] });
    const revoke = (id: string) => request(device.app, 'DELETE', '/v2/account/key', { key: owner, params: { id } });
    const [before, meanwhile] = [await make(), await make()];
    const { url } = await requestTicket(device, { key: before.key });
    await revoke(before.id);
    assert.equal(await upgradeStatus(device.app.url, url), 401);
    await using viewer = await watchConsoleAt(
      device.app.url,
      (await requestTicket(device, { key: meanwhile.key })).url,
    );
    await revoke(meanwhile.id);
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console session has ended.' });
  });

  for (const [reason, forbid, status, code] of [
    ['its service is suspended', suspendService, 403, 'service_suspended'],
    ['its service is terminated', takeServer, 404, 'service_terminated'],
    ['staff lock its device', lockDevice, 409, 'device_held'],
  ] as const)
    it(`ends when ${reason} during the session, and so do tickets and launcher users`, async () => {
      await using device = await openDevice();
      const session = await launch(device);
      const screen = await openScreen(session);
      const screenClosed = once(screen.resume(), 'close');
      await using viewer = await watchConsole(device);
      viewer.type('\r');
      await viewer.shows('login: ');
      const { url } = await requestTicket(device);
      await forbid(device);
      assert.equal(await upgradeStatus(device.app.url, url), 401);
      assertRejected(await device.v2('POST', 'console'), status, code);
      assertRejected(await device.v2('GET', 'console'), status, code);
      assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console session has ended.' });
      await screenClosed;
      assert.equal(await connectForward({ host: '127.0.0.1', port: session.kvm }).ended, '');
      await consoleUsers(device.app.parts).run(new AbortController().signal);
      assert.equal(await logsIn(device.bmc, session), false);
    });

  it('ends within seconds for a viewer that does not close the connection', async () => {
    await using device = await openDevice();
    const socket = new WebSocket(new URL((await requestTicket(device)).url, device.app.url.replace('http', 'ws')));
    socket.on('error', () => {});
    await once(socket, 'message');
    // It never reads that it should close.
    socket.pause();
    await lockDevice(device);
    const isCut = (): boolean => {
      socket.send(Buffer.from('x'));
      socket.pong();
      return socket.readyState !== WebSocket.OPEN;
    };
    // The WebSocket library would wait for 30 s.
    await until(isCut, { patienceMs: 25_000 });
  });

  it('ends when the console is reset and when the server stops', async () => {
    await using device = await openDevice();
    await using first = await watchConsole(device);
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('here\r\n');
    await first.shows('here');
    const unused = await requestTicket(device);
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await first.ended, { code: 1001, reason: 'The console was reset.' });
    assert.equal(await upgradeStatus(device.app.url, unused.url), 401);
    await using second = await watchConsole(device);
    device.app.parts.stop();
    assert.deepEqual(await second.ended, { code: 1001, reason: 'The server is stopping.' });
    assert.equal(await upgradeStatus(device.app.url, '/v2/device/console/socket'), 503);
  });

  it('that another client took over comes back for whoever types', async () => {
    await using device = await openDevice();
    await using viewer = await watchConsole(device);
    await until(() => device.bmc.hasConsole());
    const { address, port, username, password } = device.app.equipment.bmcs[0]!;
    await using fleet = await openFleet();
    const taker = fleet.bmc({ address, port, username, password });
    const { promise: lost, resolve: onEnd } = Promise.withResolvers<unknown>();
    await taker.openConsole({ onData: () => {}, onEnd, whenTaken: 'takeOver' });
    // The key that discovers the lost connection may be lost with it.
    await until(() => {
      viewer.type('\r');
      return viewer.text().includes('web1 login: ');
    });
    await lost;
  });

  it('with a lost serial line ends for the person who types, and for no other', async () => {
    await using device = await openDevice();
    await using viewer = await watchConsole(device);
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('here\r\n');
    await viewer.shows('here');
    device.bmc.setMalfunctions({ isSilent: true });
    // The first key is lost with the connection; the next one discovers that it is gone.
    const typing = setInterval(() => viewer.type('a'), 100);
    const end = await viewer.ended;
    clearInterval(typing);
    assert.deepEqual(end, { code: 1001, reason: 'The connection to the serial line was lost.' });
    device.bmc.setMalfunctions({});
    await using again = await watchConsole(device);
    await again.shows('here');
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('and again\r\n');
    await again.shows('and again');
  });

  it('of an unreachable BMC is rejected with a message', async () => {
    await using device = await openDevice();
    device.bmc.setMalfunctions({ isSilent: true });
    await using viewer = await watchConsole(device);
    assert.deepEqual(await viewer.ended, {
      code: 1001,
      reason: "The device's IPMI did not respond. Try again later.",
    });
  });

  it('holds no connection of a client that was rejected', async () => {
    await using device = await openDevice();
    const { url } = device.app;
    assert.match(await rejectedUpgrade(url, '/v2/device/console/socket'), / 401 /);
    assert.match(await rejectedUpgrade(url, '/v2/account'), / 404 /);
  });

  it('is not affected by requests that are no WebSocket', async () => {
    await using device = await openDevice();
    const { hostname, port } = new URL(device.app.url);
    const say = async (lines: string[]): Promise<string> => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      let output = '';
      socket.on('data', (chunk) => (output += chunk.toString()));
      await until(() => output.includes('\r\n\r\n'));
      socket.destroy();
      await closed;
      return output.split('\r\n')[0]!;
    };
    const upgrade = (kind: string) => ['Host: x', 'Connection: Upgrade', `Upgrade: ${kind}`];
    for (const path of ['//', '/\\', '/v2/device/console/socket?ticket=%', '/%'])
      assert.match(await say([`GET ${path} HTTP/1.1`, ...upgrade('websocket')]), / 40[14] /);
    assert.match(await say(['GET /healthz HTTP/1.1', ...upgrade('h2c')]), / 200 /);
    const { url } = await requestTicket(device);
    assert.match(await say([`GET ${url} HTTP/1.1`, ...upgrade('websocket')]), / 400 /, 'no key of a handshake');
    // Disconnects while the ticket is being checked.
    const cut = connect(Number(port), hostname);
    cut.write([`GET ${(await requestTicket(device)).url} HTTP/1.1`, ...upgrade('websocket'), '', ''].join('\r\n'));
    cut.resetAndDestroy();
    assertResult(await device.v2('GET', 'power'), 'on');
  });
});
