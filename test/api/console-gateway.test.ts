// The gateway to the consoles of dedicated servers: forwards for launcher files, and the controller's own page behind a proxy.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { before, describe, it } from 'node:test';
import { createWebSocketStream } from 'ws';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { startConsoleForwards } from '#http/consoles/console-forwards.ts';
import { clientHandshake } from '#protocols/rfb/handshake.ts';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { rejectedUpgrade } from '#test/support/console.ts';
import {
  connectForward,
  connectSocket,
  getPage,
  launch,
  openScreen,
  openWebConsole,
  type WebConsole,
} from '#test/support/console-gateway.ts';
import { assertRejected, assertResult, deviceOf, requestDevice, type TestDevice } from '#test/support/devices.ts';
import { operatorResult } from '#test/support/operators.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('the console gateway', () => {
  const owned = suiteResources();
  let app: TestApp;
  let device: TestDevice;
  before(async () => {
    app = owned.use(await openTestApp({ worksOffJobs: true }));
    device = deviceOf(app);
  });

  it("forwards to the controller's screen and web page for the caller's address, until the session ends", async () => {
    const session = await launch(device);
    const { host, kvm, web } = session;
    const screen = await openScreen(session);
    const page = httpsRequest({ host, port: web, path: '/console/', rejectUnauthorized: false }).end();
    const [response] = (await once(page, 'response')) as [IncomingMessage];
    assert.equal(response.resume().statusCode, 401, 'the page of the controller asks for a sign-in');

    const foreign = connectForward({ host: '127.0.0.1', port: kvm, localAddress: '127.0.0.2' });
    assert.equal(await foreign.ended, '', 'another address gets nothing');
    const { ports } = device.app.parts.consoleGateway.forwards!;
    const unused = ports.find((port) => port !== kvm && port !== web)!;
    assert.equal(await connectForward({ host: '127.0.0.1', port: unused }).ended, '', 'a port of no session');

    // What another instance would do, or this one after a restart.
    await using other = await startConsoleForwards(device.app.parts, '127.0.0.3', ports, (port, start) => start(port));
    assert.deepEqual(other.ports, ports);
    await openScreen({ ...session, host: '127.0.0.3' });

    const closed = once(screen.resume(), 'close');
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    await closed;
    assert.equal(await connectForward({ host: '127.0.0.1', port: kvm }).ended, '', 'the session has ended');
  });

  it('leaves connections and ports to others, however many servers an account has', async () => {
    const { parts } = app;
    const session = await launch(device);
    const { ports } = parts.consoleGateway.forwards!;
    await using other = await startConsoleForwards(parts, '127.0.0.4', ports, (port, start) => start(port), {
      connections: 10,
      perAccount: 1,
    });
    assert.deepEqual(other.ports, ports);
    const screen = await openScreen({ ...session, host: '127.0.0.4' });
    assert.equal(await connectForward({ host: '127.0.0.4', port: session.kvm }).ended, '', 'the account has its share');
    screen.destroy();
    await until(() =>
      openScreen({ ...session, host: '127.0.0.4' }).then(
        (again) => Boolean(again.destroy()),
        () => false,
      ),
    );

    // As if another server of the account had a console, too.
    const { queries } = parts.store;
    const rows = await queries.selectFrom('console_forwards').select('port').execute();
    const taken = new Set(rows.map(({ port }) => port));
    const [row] = await queries.selectFrom('console_sessions').selectAll().execute();
    const [user] = await queries.selectFrom('bmc_users').selectAll().where('name', '=', row!.username).execute();
    const { name: server } = await queries
      .selectFrom('servers')
      .select('name')
      .where('name', '<>', device.server)
      .executeTakeFirstOrThrow();
    const another = { ...row!, id: 'of-another-server', server };
    await queries
      .insertInto('bmc_users')
      .values({ ...user!, server })
      .execute();
    await queries.insertInto('console_sessions').values(another).execute();
    for (const port of ports.filter((candidate) => !taken.has(candidate)).slice(0, 4))
      await queries.insertInto('console_forwards').values({ port, session_id: another.id, target: 443 }).execute();
    assertRejected(await device.v2('GET', 'console'), 422, 'nothing_free');
    await queries
      .updateTable('console_sessions')
      .set({ account_id: Number(app.lab.stranger.account) as AccountId })
      .where('id', '=', another.id)
      .execute();
    await launch(device);
    await queries.deleteFrom('bmc_users').where('server', '=', server).execute();
  });

  it('opens the web console with a link once, signs in, and shows the screen through a WebSocket until it is reset', async () => {
    const { url, username, password } = await openWebConsole(device);
    const { origin } = new URL(url);
    const { secondaryRedfish } = app.equipment;
    for (const secret of [username, password, secondaryRedfish.address, String(secondaryRedfish.port)])
      assert.ok(!url.includes(secret), url);
    assert.equal((await getPage(`${origin}/console/`)).status, 403, 'without a cookie');
    assert.equal((await getPage(`${url}x`)).status, 403, 'a wrong link');
    assert.equal((await getPage(url, { localAddress: '127.0.0.2' })).status, 404, 'another address');

    const start = await getPage(url);
    assert.equal(start.status, 200);
    assert.match(start.body, /content="0;url=\/"/);
    assert.equal((await getPage(url)).status, 403, 'a used link');
    const [own, controllers] = start.headers['set-cookie']!;
    assert.match(own!, /^hostyard-console=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.match(
      controllers!,
      /^SESSION=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
      'no domain of the controller',
    );

    const headers = { cookie: start.cookies };
    const root = await getPage(`${origin}/`, { headers });
    assert.deepEqual([root.status, root.headers.location], [302, '/console/'], 'the redirect stays on the gateway');
    const page = await getPage(`${origin}/console/`, { headers });
    assert.equal(page.status, 200);
    assert.match(page.body, /<title>Lab BMC: console<\/title>/);
    assert.equal((await getPage(`${origin}/console/novnc/core/rfb.js`, { headers })).status, 200);
    assert.equal((await getPage(`${origin}/console/`, { headers, localAddress: '127.0.0.2' })).status, 404);
    const session = await getPage(`${origin}/redfish/v1/SessionService`, { headers });
    assert.equal(session.status, 200, 'the page uses the API of its controller');

    for (const foreign of ['same-site', 'cross-site'])
      assert.equal(
        (await getPage(`${origin}/console/`, { headers: { ...headers, 'sec-fetch-site': foreign } })).status,
        403,
      );
    const refused = connectSocket(origin, { ...headers, origin: 'http://evil.example' });
    const [, rejection] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    assert.equal(rejection.resume().statusCode, 403);

    const socket = connectSocket(origin, { ...headers, origin });
    const screen = createWebSocketStream(socket).on('error', () => {});
    await clientHandshake(screen, undefined, AbortSignal.timeout(60_000));
    assert.equal(
      secondaryRedfish.simulator.sessions.all.filter(({ connection }) => connection !== undefined).length,
      1,
    );
    const closed = once(socket, 'close');
    screen.resume();
    assertResult(await device.v2('DELETE', 'console'), 'Console Reset');
    await closed;
    assert.equal((await getPage(`${origin}/console/`, { headers })).status, 404, 'the session has ended');
  });

  it('holds no connection of a stranger whose upgrade was rejected', async () => {
    assert.match(await rejectedUpgrade(app.parts.consoleGateway.webUrl!.href, '/'), / 403 /);
  });

  it('ends an open web console when staff lock the device', async () => {
    const { url } = await openWebConsole(device);
    const { origin } = new URL(url);
    const start = await getPage(url);
    const socket = connectSocket(origin, { cookie: start.cookies, origin });
    const screen = createWebSocketStream(socket).on('error', () => {});
    await clientHandshake(screen, undefined, AbortSignal.timeout(60_000));
    const closed = once(socket, 'close');
    screen.resume();
    const hold = { device: device.server, reason: 'evidence' };
    await operatorResult(app, 'POST', 'device/lock', hold);
    await closed;
    assert.equal((await getPage(`${origin}/`, { headers: { cookie: start.cookies } })).status, 404);
    await operatorResult(app, 'DELETE', 'device/lock', { device: hold.device });
  });

  it('rejects a web console with an expired link, of another customer, and of a controller without a page', async () => {
    const { url } = await openWebConsole(device);
    app.pass(60_001);
    assert.equal((await getPage(url)).status, 403);
    const { stranger, vps } = app.lab;
    assertRejected(await device.v2('POST', 'console/web', {}, stranger.key), 404, 'not_found');
    const call = (service: string, key: string) =>
      requestDevice(app, 'POST', 'console/web', { service, key, params: {} });
    assertRejected(await call(stranger.service, stranger.key), 422, 'capability_missing');
    assertRejected(await call(vps.service, app.lab.customer.key), 422, 'capability_missing');
  });

  it('serves a controller that has only Redfish too, and a reset ends screens that others opened', async () => {
    const { redfish } = app.equipment;
    const service = '1002';
    const { key } = app.lab.customer;
    const response = await requestDevice(app, 'POST', 'console/web', { service, key, params: {} });
    const { url } = response.body.result as WebConsole;
    const start = await getPage(url);
    assert.equal(
      (await getPage(`${new URL(url).origin}/console/`, { headers: { cookie: start.cookies } })).status,
      200,
    );

    const foreign = redfish.simulator.sessions.open(redfish.simulator.accounts.all[0]!, {
      type: 'KVMIP',
      end: () => {},
    });
    assertResult(await requestDevice(app, 'DELETE', 'console', { service, key, params: {} }), 'Console Reset');
    await until(() => !redfish.simulator.sessions.all.some(({ id }) => id === foreign!.id));
    assert.equal(
      (await getPage(`${new URL(url).origin}/console/`, { headers: { cookie: start.cookies } })).status,
      404,
    );
  });

  it('has no launcher file for a server of an unknown model, and no port left rejects a session', async () => {
    const { parts } = device.app;
    const { forwards } = parts.consoleGateway;
    parts.consoleGateway.forwards = { host: 'localhost', ports: forwards!.ports.slice(0, 2) };
    assertRejected(await device.v2('GET', 'console'), 422, 'nothing_free');
    await consoleUsers(parts).run(new AbortController().signal);
    const users = await parts.bmcs.use(device.server, (bmc) => bmc.users!.list(AbortSignal.timeout(60_000)));
    assert.deepEqual(users, ['provider'], 'no user is left');
    await parts.store.queries.updateTable('servers').set({ bmc_model: 'generic' }).execute();
    assertRejected(await device.v2('GET', 'console'), 422, 'capability_missing');
  });
});
