// A server between two customers, in the lab: what the first one left on the disks, the BMC and in DNS is gone when the second one
// gets it, and a server that cannot be verified goes to nobody.
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { storeSystems } from '#app/site/systems.ts';
import type { LabBmcMalfunctions } from '#lab/bmc/malfunctions.ts';
import { labModel } from '#lab/redfish/lab-servers.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';
import { verifyCertificate, type Certificate, type CertificateKey } from '#sdk/v2.ts';
import type { OperatorDevice, Reclaim } from '#sdk/operator.ts';
import { startNetworkBoot } from '#server/network-boot.ts';
import { reclaimFind, reclaimOfServer } from '#store/devices/reclaims.ts';
import { openTestApp } from '#test/support/app.ts';
import { logsIn } from '#test/support/bmc-login.ts';
import { requestTicket, watchConsoleAt, type Viewer } from '#test/support/console.ts';
import { deviceOf, type TestDevice } from '#test/support/devices.ts';
import { asOperator, createAccount, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { withResources } from '#test/support/resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const canary = 'CANARY-4711';
const address = '203.0.113.33';
/** A busy machine must not make the BMCs seem unreachable: a command that fails ends a termination. */
const waits = { responseSeconds: 25, commandSeconds: 50, mediaSeconds: 60 };

async function openLab(): Promise<TestDevice> {
  await using owned = new AsyncDisposableStack();
  const app = owned.use(
    await openTestApp({
      worksOffJobs: true,
      answersDns: true,
      trustedProxies: ['127.0.0.1'],
      site: { models: [{ name: labModel, waits }] },
    }),
  );
  const boot = owned.use((await startNetworkBoot(app.parts, app.site.boot))!);
  app.equipment.bootFrom(boot.url);
  return withResources(owned, deviceOf(app));
}

async function openConsole(device: TestDevice, key: string): Promise<Viewer> {
  return watchConsoleAt(device.app.url, (await requestTicket(device, { key })).url);
}

/** Logs in at the prompt, runs the commands and returns what they printed. */
async function runAsRoot(viewer: Viewer, password: string, ...commands: readonly string[]): Promise<string> {
  let start = 0;
  const type = async (line: string, response: string): Promise<void> => {
    start = viewer.text().length;
    viewer.type(`${line}\n`);
    await until(() => viewer.text().slice(start).endsWith(response), { saw: () => viewer.text().slice(-500) });
  };
  await type('', 'login: ');
  await type('root', 'Password: ');
  await type(password, '# ');
  let output = '';
  for (const command of commands) {
    await type(command, '# ');
    output += viewer.text().slice(start);
  }
  return output;
}

async function terminate({ app, service }: TestDevice): Promise<void> {
  const { hostname } = await operatorResult<{ hostname: string }>(app, 'GET', `service/${service}`);
  await operatorResult(app, 'DELETE', 'service', { id: service, hostname });
}

async function stateOf({ app, server }: TestDevice): Promise<string | undefined> {
  return (await operatorResult<OperatorDevice[]>(app, 'GET', 'device')).find(({ device }) => device === server)?.state;
}

function reclaims({ app }: TestDevice): Promise<Reclaim[]> {
  return operatorResult(app, 'GET', 'reclaim');
}

async function waitForState(device: TestDevice, state: string): Promise<void> {
  await until(async () => (await stateOf(device)) === state, { saw: () => reclaims(device) });
}

const order = { type: 'dedicated', name: 'Server', hostname: 'second.example.org' };

/** Gives the server to a new customer. */
async function assign({ app, server }: TestDevice): Promise<{ service: string; key: string }> {
  const account = await createAccount(app);
  const { service } = await operatorResult<{ service: string }>(app, 'POST', 'service', { ...order, account, server });
  const fields = { account, name: 'own', scopes: ['all'] };
  const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', fields);
  return { service, key };
}

/** Returns the code of the error when the server is given to a customer. */
async function rejectionOf({ app, server }: TestDevice): Promise<string> {
  const fields = { ...order, account: app.lab.stranger.account, server };
  return (await asOperator<ErrorResult>(app, 'POST', 'service', fields)).body.result.code;
}

function reverseName({ app }: TestDevice): Promise<string> {
  const resolver = new Resolver();
  resolver.setServers([`${app.dns.address}:${app.dns.port}`]);
  return resolver.reverse(address).then(
    ([name]) => name!,
    (error: NodeJS.ErrnoException) => error.code!,
  );
}

const intruder = { username: 'intruder', password: 'a-password' };

/** As root on the server can do over its local interface. */
async function addBmcUser({ app, bmc }: TestDevice, { username, password }: typeof intruder): Promise<void> {
  const { username: name, password: secret } = app.site.servers![0]!.bmc.settings as typeof intruder;
  const slot = 7;
  await using fleet = await openFleet();
  const client = fleet.bmc({ address: bmc.address, port: bmc.port, username: name, password: secret });
  await client.setUserName(slot, username);
  await client.setUserPassword(slot, password);
  await client.setUserPrivilege(slot, 'administrator');
  await client.enableUser(slot);
  assert.equal(await logsIn(bmc, { username, password }, 'administrator'), true);
}

describe('a server between two customers', { concurrency: true }, () => {
  it('keeps nothing of the first one, and the second one has proof', async () => {
    await using former = await openLab();
    const { app, bmc, server } = former;
    const { key } = app.lab.customer;
    {
      await using viewer = await openConsole(former, key);
      const written = ['a', 'b'].flatMap((disk) => [`echo ${canary} > /dev/sd${disk}`, `cat /dev/sd${disk}`]);
      assert.match(await runAsRoot(viewer, 'root', ...written), new RegExp(`(${canary}\r\n[^]*){2}`));
    }
    const created = await former.legacy('/ipmi/user', { username: 'former', action: 'createUser' });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    const login = created.body.result as { username: string; password: string };
    assert.equal(await logsIn(bmc, login), true);
    await former.legacy('/ipmi/image', { action: 'setImage', image: 'OS-F526.iso' });
    assert.equal((await former.legacy('/ipmi/image', { action: 'mountImage' })).body.result, 'Image Mounted');
    const { drive } = app.equipment.secondaryRedfish.simulator;
    assert.notEqual(drive.image, undefined);
    const record = `${canary.toLowerCase()}.example.net`;
    await requestResult(app, 'PUT', '/v2/dns/reverse', { key, params: { ip: address, record } });
    assert.equal(await reverseName(former), record);
    await former.v2('PUT', 'power', { request: 'bios' });

    await terminate(former);
    await waitForState(former, 'available');
    const assigned = await assign(former);
    const device: TestDevice = { ...former, service: assigned.service };
    const call = <Result>(method: string, path: string, params = {}) =>
      requestResult<Result>(app, method, path, { key: assigned.key, params });

    await using viewer = await openConsole(device, assigned.key);
    const password = await call<string>('POST', '/v2/device/rescue', { service: device.service });
    await until(() => viewer.text().endsWith('login: '), { saw: () => viewer.text().slice(-500) });
    const found = await runAsRoot(viewer, password, 'cat /dev/sda', 'cat /dev/sdb');
    assert.doesNotMatch(found, new RegExp(`${canary}|Debian`));
    assert.doesNotMatch(viewer.text(), new RegExp(canary));
    assert.deepEqual(bmc.server.disks.state(), { 'LAB-SSD-1': '', 'LAB-SSD-2': '' });
    assert.equal(await logsIn(bmc, login), false);
    assert.equal(drive.image, undefined);
    await until(async () => (await reverseName(former)) === 'ENOTFOUND', { saw: () => reverseName(former) });
    assert.ok(!bmc.chassis.events.some(({ text }) => text === 'boot from bios'));

    const [certificate, ...others] = await call<Certificate[]>('GET', `/v2/device/certificate/${device.service}`);
    assert.deepEqual(others, []);
    const document = await verifyCertificate(
      certificate!.signed,
      await call<CertificateKey>('GET', '/v2/device/certificate'),
    );
    assert.deepEqual(
      [document.server, document.erasure, document.disks.map(({ serial, method }) => [serial, method])],
      [server, 'erased', ['LAB-SSD-1', 'LAB-SSD-2'].map((serial) => [serial, 'discard'])],
    );
    assert.equal(document.bmcusersremoved, '1');
  });

  it('needs no virtual drive to be reclaimed', async () => {
    await using lab = await openLab();
    lab.app.equipment.secondaryRedfish.simulator.setMalfunctions({ lacksMedia: true });
    await terminate(lab);
    await until(async () => (await stateOf(lab)) !== 'reclaiming' && (await stateOf(lab)) !== 'assigned');
    assert.equal(await stateOf(lab), 'available', JSON.stringify(await reclaims(lab)));
  });

  it('is erased although the rescue system still ran when staff signed off the steps before', async () => {
    await using lab = await openLab();
    const { app, bmc, server } = lab;
    const created = await lab.legacy('/ipmi/user', { username: 'former', action: 'createUser' });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    await lab.v2('POST', 'rescue');
    const rescue = async (): Promise<unknown> => (await lab.v2('GET', 'rescue')).body.result;
    await until(async () => (await rescue()) === 'Active', { saw: rescue });
    bmc.setMalfunctions({ ignoresUserChanges: true });
    await terminate(lab);
    await until(
      async () => {
        const [current] = await reclaims(lab);
        if (current?.step === 'users') app.pass(5000);
        return current?.state === 'quarantined';
      },
      { saw: () => reclaims(lab) },
    );
    const { queries } = app.parts.store;
    const signedOff = { operator: 'staff', reason: 'checked by hand' };
    const { id } = (await reclaimOfServer(queries, server))!;
    await reclaimFind(queries, id, 'sessions', { at: app.parts.clock.now(), signedOff });
    const fields = { server, step: 'users', reason: signedOff.reason };
    await until(async () => (await asOperator(app, 'POST', 'reclaim/signoff', fields)).status === 200);
    await until(async () => (await stateOf(lab)) !== 'reclaiming', { saw: () => reclaims(lab) });
    assert.equal(await stateOf(lab), 'available', JSON.stringify(await reclaims(lab)));
    assert.deepEqual(bmc.server.disks.state(), { 'LAB-SSD-1': '', 'LAB-SSD-2': '' });
  });

  it('says in quarantine that the site has no system that erases', async () => {
    await using lab = await openLab();
    const { app } = lab;
    await storeSystems(app.parts.store.queries, { ...app.site, systems: [] });
    await terminate(lab);
    await waitForState(lab, 'quarantined');
    const [reclaim] = await reclaims(lab);
    const reason = 'Disks cannot be erased: the site has no rescue system.';
    assert.deepEqual([reclaim?.step, reclaim?.reason], ['erase', reason]);
  });

  it("gets a new BMC password if the site wants that, which the site file's old one does not undo", async () => {
    await using lab = await openLab();
    const { app, bmc } = lab;
    const login = app.site.servers![0]!.bmc.settings as { username: string; password: string };
    const site = { ...app.site, reclaim: { rotateBmcPassword: true } };
    await applySite(app.parts, site);
    await terminate(lab);
    await waitForState(lab, 'available');
    assert.equal(await logsIn(bmc, login, 'administrator'), false);
    const { service, key } = await assign(lab);
    const isReachable = async (): Promise<boolean> =>
      (await request(app, 'GET', `/v2/device/power/${service}`, { key })).status === 200;
    assert.equal(await isReachable(), true);

    const terminated = site.services!.filter(({ id }) => String(id) !== lab.service);
    await applySite(app.parts, { ...site, services: terminated });
    assert.equal(await isReachable(), true);
    const [first, ...others] = site.servers!;
    const settings = { ...first!.bmc.settings, password: 'another-password' };
    const servers = [{ ...first!, bmc: { ...first!.bmc, settings } }, ...others];
    await applySite(app.parts, { ...site, services: terminated, servers });
    assert.equal(await isReachable(), false);
  });

  const quarantines: Record<string, { malfunctions: LabBmcMalfunctions; step: string; reason: RegExp }> = {
    'with a disk that cannot be erased': {
      malfunctions: { failingDisks: ['LAB-SSD-2'] },
      step: 'erase',
      reason: /Not erased: disk LAB-SSD-2/,
    },
    'with a disk that disappeared': {
      malfunctions: { missingDisks: ['LAB-SSD-1'] },
      step: 'erase',
      reason: /Disk LAB-SSD-1 is missing/,
    },
    'whose BMC keeps the user of the former customer': {
      malfunctions: { ignoresUserChanges: true },
      step: 'users',
      reason: /IPMI|users/,
    },
    'with other firmware than recorded': {
      malfunctions: { firmware: '9.99' },
      step: 'inventory',
      reason: /Different from the record: .*firmware/,
    },
  };
  for (const [title, { malfunctions, step, reason }] of Object.entries(quarantines))
    it(`${title} goes to nobody before it was repaired and checked again`, async () => {
      await using lab = await openLab();
      const { app, bmc, server } = lab;
      // The first time writes the record.
      await terminate(lab);
      await waitForState(lab, 'available');
      const { service, key } = await assign(lab);
      const device: TestDevice = { ...lab, service };
      const created = await device.legacy('/ipmi/user', { username: 'former', action: 'createUser' }, key);
      assert.equal(created.status, 200, JSON.stringify(created.body));
      bmc.server.disks.write({ serial: 'LAB-SSD-1', sizeGb: 480 }, canary);

      bmc.setMalfunctions(malfunctions);
      await terminate(device);
      const reclaim = await untilDefined(
        async () => {
          const [current] = await reclaims(device);
          // A BMC gets two minutes to recover; a step that is only slow must not use them up.
          if (step === 'users' && current?.step === 'users') app.pass(5000);
          return current?.state === 'quarantined' ? current : undefined;
        },
        { saw: () => reclaims(device) },
      );
      assert.deepEqual([reclaim.server, reclaim.step], [server, step]);
      assert.match(reclaim.reason, reason);
      assert.equal(await rejectionOf(device), 'state_conflict');

      bmc.setMalfunctions({});
      // The network boot may have failed, so that the former customer's system ran again.
      if (step === 'erase') await addBmcUser(device, intruder);
      await until(async () => (await asOperator(app, 'POST', 'reclaim/retry', { server })).status === 200);
      await waitForState(device, 'available');
      assert.equal(await logsIn(bmc, intruder, 'administrator'), false);
      assert.deepEqual(bmc.server.disks.state(), { 'LAB-SSD-1': '', 'LAB-SSD-2': '' });
      await assign(device);
    });
});
