// The two consoles of a dedicated server: the launcher file with a user of its own, and the serial line in a browser.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { logsIn } from '#test/support/controller-login.ts';
import { knock, ticketOf, watch, watchAt } from '#test/support/console.ts';
import { openDevice, refused, succeeds, type TestDevice } from '#test/support/devices.ts';
import { request, type Answer } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { openFleet } from '#wire/ipmi/fleet.ts';

async function launch(device: TestDevice) {
  const answer = await device.v2('GET', 'console');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const file = Buffer.from(answer.body.result as string, 'base64').toString();
  const [host, username, password] = [...file.matchAll(/<argument>([^<]*)<\/argument>/g)].map((match) => match[1]!);
  return { file, host: host!, username: username!, password: password!, results: answer.body.results };
}

describe('the launcher of a console', { concurrency: 2 }, () => {
  it('is a file with a user made for this one session', async () => {
    await using device = await openDevice();
    const { file, host, username, password, results } = await launch(device);
    assert.equal(results, 1);
    assert.match(file, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<jnlp [^>]*codebase="https:\/\/dc01r01ds01\/">/);
    assert.equal(host, 'dc01r01ds01');
    assert.equal(await logsIn(device.bmc, { username, password }), true);
    assert.equal(await logsIn(device.bmc, { username, password }, 'administrator'), false);
    const next = await device.legacy('/ipmi/kvm');
    assert.match(Buffer.from(next.body.result as string, 'base64').toString(), /<jnlp /);
    assert.equal(await logsIn(device.bmc, { username, password }), false, 'the session before is over');
  });

  it('ends when it is reset, with its user', async () => {
    await using device = await openDevice();
    const session = await launch(device);
    succeeds(await device.v2('DELETE', 'console'), 'Console Reset');
    assert.equal(await logsIn(device.bmc, session), false);
    succeeds(await device.v2('DELETE', 'console'), 'Console Reset');
  });

  it('ends after an hour, however long the controller is silent then', async () => {
    await using device = await openDevice();
    const session = await launch(device);
    const customers = await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' });
    const ending = consoleUsers(device.yard.parts);
    const tend = () => ending.run(new AbortController().signal);
    device.yard.pass(3_500_000);
    await tend();
    assert.equal(await logsIn(device.bmc, session), true);
    device.yard.pass(200_000);
    device.bmc.setFaults({ isSilent: true });
    await tend();
    device.bmc.setFaults({});
    assert.equal(await logsIn(device.bmc, session), true);
    device.yard.pass(61_000);
    await tend();
    assert.equal(await logsIn(device.bmc, session), false);
    assert.equal(await logsIn(device.bmc, customers.body.result as typeof session), true);
  });

  it('says nothing of the controller, and neither does any other answer', async () => {
    await using device = await openDevice();
    const { address, port, username, password } = device.yard.equipment.bmcs[0]!;
    const answers: Answer<unknown>[] = [
      await device.v2('GET', 'console'),
      await device.legacy('/ipmi/kvm'),
      await device.v2('GET', 'hardware'),
      await device.legacy('/ipmi/user', { username: 'anna', action: 'createUser' }),
      await device.v2('POST', 'console'),
      await request(device.yard, 'GET', '/v2/device/list', { key: device.yard.lab.customer.key }),
    ];
    device.bmc.setFaults({ refusesSessions: true });
    await device.yard.parts.bmcs.use(device.server, async (bmc) => bmc[Symbol.asyncDispose]());
    answers.push(await device.v2('GET', 'power'), await device.legacy('/ipmi/kvm'));
    for (const { body } of answers) {
      const { result } = body as { result: unknown };
      const isFile = typeof result === 'string' && result.startsWith('PD94');
      const text = isFile ? Buffer.from(result, 'base64').toString() : JSON.stringify(body);
      for (const secret of [address, String(port), username, password])
        assert.ok(!text.includes(secret), `${secret}: ${text}`);
    }
  });
});

describe('the serial console in a browser', { concurrency: 3 }, () => {
  it('shows what was printed before, takes keys and a break, and every viewer sees the same', async () => {
    await using device = await openDevice();
    await using first = await watch(device);
    first.type('\r');
    await first.shows('web1 login: ');
    first.type('root\r');
    await first.shows('Password: ');
    first.type('root\r');
    await first.shows('root@web1:~# ');
    await using second = await watch(device);
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
    device.yard.parts.serialLines.start();
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('nobody saw this\r\n');
    await using viewer = await watch(device);
    await viewer.shows('nobody saw this');
  });

  it('is opened by a ticket once, within a minute', async () => {
    await using device = await openDevice();
    const { url, ticket, expires } = await ticketOf(device);
    assert.deepEqual([url, expires], [`/v2/device/console/socket?ticket=${ticket}`, '60']);
    assert.equal(await knock(device.yard.url, url), 101);
    assert.equal(await knock(device.yard.url, url), 401);
    assert.equal(await knock(device.yard.url, '/v2/device/console/socket'), 401);
    assert.equal(await knock(device.yard.url, `${url.slice(0, -1)}!`), 401);
    assert.equal(await knock(device.yard.url, '/v2/account'), 404);
    const late = await ticketOf(device);
    device.yard.pass(60_001);
    assert.equal(await knock(device.yard.url, late.url), 401);
    refused(await device.v2('POST', 'console', {}, device.yard.lab.stranger.key), 404, 'not_found');
  });

  it('is watched by ten at once, and by another when one of them has gone', async () => {
    await using device = await openDevice();
    await using viewers = new AsyncDisposableStack();
    const first = await watch(device);
    for (let count = 1; count < 10; count++) viewers.use(await watch(device));
    const eleventh = async (): Promise<number> => knock(device.yard.url, (await ticketOf(device)).url);
    assert.equal(await eleventh(), 429);
    await first[Symbol.asyncDispose]();
    await until(async () => (await eleventh()) === 101);
  });

  it('is opened from the address that the ticket was given to, also behind a proxy, and from no other', async () => {
    await using device = await openDevice({ trustedProxies: ['127.0.0.1'] });
    const at = (address: string) => ({ 'x-forwarded-for': address });
    const wrong = await ticketOf(device, { headers: at('203.0.113.5') });
    assert.equal(await knock(device.yard.url, wrong.url, at('203.0.113.6')), 401);
    assert.equal(await knock(device.yard.url, wrong.url, at('203.0.113.5')), 401, 'tried once is used');
    const right = await ticketOf(device, { headers: at('203.0.113.5') });
    assert.equal(await knock(device.yard.url, right.url, at('198.51.100.1, 203.0.113.5')), 101);
  });

  it('ends with its key: revoked before, or while somebody looks', async () => {
    await using device = await openDevice();
    const owner = device.yard.lab.customer.key;
    const make = async () =>
      (
        await request<{ result: { id: string; key: string } }>(device.yard, 'POST', '/v2/account/key', {
          key: owner,
          params: { name: 'console', scopes: ['device:console'] },
        })
      ).body.result;
    const revoke = (id: string) => request(device.yard, 'DELETE', '/v2/account/key', { key: owner, params: { id } });
    const [before, meanwhile] = [await make(), await make()];
    const { url } = await ticketOf(device, { key: before.key });
    await revoke(before.id);
    assert.equal(await knock(device.yard.url, url), 401);
    await using viewer = await watchAt(device.yard.url, (await ticketOf(device, { key: meanwhile.key })).url);
    await revoke(meanwhile.id);
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console is over.' });
  });

  it('ends with its service, when that is suspended while somebody looks', async () => {
    await using device = await openDevice();
    await using viewer = await watch(device);
    await device.yard.parts.store.queries
      .updateTable('services')
      .set({ status: 'Suspended' })
      .where('id', '=', Number(device.service))
      .execute();
    assert.deepEqual(await viewer.ended, { code: 1008, reason: 'The console is over.' });
  });

  it('ends when the console is reset and when the server stops', async () => {
    await using device = await openDevice();
    await using first = await watch(device);
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('here\r\n');
    await first.shows('here');
    const unused = await ticketOf(device);
    succeeds(await device.v2('DELETE', 'console'), 'Console Reset');
    assert.deepEqual(await first.ended, { code: 1001, reason: 'The console was reset.' });
    assert.equal(await knock(device.yard.url, unused.url), 401);
    await using second = await watch(device);
    device.yard.parts.stop();
    assert.deepEqual(await second.ended, { code: 1001, reason: 'The server is stopping.' });
    assert.equal(await knock(device.yard.url, '/v2/device/console/socket'), 503);
  });

  it('that another took away is had again by who types', async () => {
    await using device = await openDevice();
    await using viewer = await watch(device);
    await until(() => device.bmc.hasConsole());
    const { address, port, username, password } = device.yard.equipment.bmcs[0]!;
    await using fleet = await openFleet();
    const taker = fleet.bmc({ address, port, username, password });
    const { promise: lost, resolve: onEnd } = Promise.withResolvers<unknown>();
    await taker.openConsole({ onData: () => {}, onEnd, whenTaken: 'takeOver' });
    // The key that finds the line gone may be lost with it.
    await until(() => {
      viewer.type('\r');
      return viewer.text().includes('web1 login: ');
    });
    await lost;
  });

  it('whose line is gone ends for who types, and for nobody else', async () => {
    await using device = await openDevice();
    await using viewer = await watch(device);
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('here\r\n');
    await viewer.shows('here');
    device.bmc.setFaults({ isSilent: true });
    // The first key is lost with the line; the next finds that there is none.
    const typing = setInterval(() => viewer.type('a'), 100);
    const end = await viewer.ended;
    clearInterval(typing);
    assert.deepEqual(end, { code: 1001, reason: 'The line is gone.' });
    device.bmc.setFaults({});
    await using again = await watch(device);
    await again.shows('here');
    await until(() => device.bmc.hasConsole());
    device.bmc.serial.print('and again\r\n');
    await again.shows('and again');
  });

  it('of a controller that is silent is refused in words', async () => {
    await using device = await openDevice();
    device.bmc.setFaults({ isSilent: true });
    await using viewer = await watch(device);
    assert.deepEqual(await viewer.ended, {
      code: 1001,
      reason: 'The management controller of the device did not answer.',
    });
  });

  it('does not suffer from what is no WebSocket', async () => {
    await using device = await openDevice();
    const { hostname, port } = new URL(device.yard.url);
    const say = async (lines: string[]): Promise<string> => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      let heard = '';
      socket.on('data', (chunk) => (heard += chunk.toString()));
      await until(() => heard.includes('\r\n\r\n'));
      socket.destroy();
      await closed;
      return heard.split('\r\n')[0]!;
    };
    const upgrade = (kind: string) => ['Host: x', 'Connection: Upgrade', `Upgrade: ${kind}`];
    for (const path of ['//', '/\\', '/v2/device/console/socket?ticket=%', '/%'])
      assert.match(await say([`GET ${path} HTTP/1.1`, ...upgrade('websocket')]), / 40[14] /);
    assert.match(await say(['GET /healthz HTTP/1.1', ...upgrade('h2c')]), / 200 /);
    const { url } = await ticketOf(device);
    assert.match(await say([`GET ${url} HTTP/1.1`, ...upgrade('websocket')]), / 400 /, 'no key of a handshake');
    // Cut off while the ticket is looked at.
    const cut = connect(Number(port), hostname);
    cut.write([`GET ${(await ticketOf(device)).url} HTTP/1.1`, ...upgrade('websocket'), '', ''].join('\r\n'));
    cut.resetAndDestroy();
    succeeds(await device.v2('GET', 'power'), 'on');
  });
});
