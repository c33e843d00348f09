// A neighbour in the network of a server that boots: it knows the MAC address and the UUID, and asks first, asks second, and
// reports false results. Each of them has its own address of the loopback network.
import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { reloadVoid } from '#store/devices/reloads.ts';
import type { Queries } from '#store/store.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { assertResult } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import {
  askForScript,
  bootMac,
  installerAt,
  linkIn,
  openReloadFixture,
  requestScript,
  runningFromDisk,
  type Installer,
  type ReloadFixture,
} from '#test/support/reloads.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const server = '127.0.0.2';
const neighbour = '127.0.0.3';

describeOnEngines(
  'a neighbour of a booting server',
  { postgres: 'in long runs', concurrency: true },
  ({ engine, newDatabase }) => {
    const open = async (bootAddress?: string): Promise<ReloadFixture> => {
      const story = await openReloadFixture(await newDatabase());
      if (bootAddress !== undefined) await story.apply(withFirstServer({ bootAddress }));
      return story;
    };

    it('gets nothing by asking first, and the server is installed', async () => {
      await using story = await open(server);
      const warn = mock.method(story.app.parts.log, 'warn');
      await story.begin('reload');
      await story.poweredOn();
      const diskScript = await askForScript(story.bootUrl, neighbour, '52:54:00:99:99:99');
      assert.equal(await askForScript(story.bootUrl, neighbour), diskScript);
      assert.equal(await askForScript(story.bootUrl, neighbour), diskScript);
      const { mac, bound_to, requested_at } = await orderOf(story);
      assert.deepEqual([mac, bound_to, requested_at], [null, null, null]);
      assert.equal(await contestedBoots(story), 1);
      const alarms = warn.mock.calls.map(({ arguments: [fields] }) => fields as unknown as Record<string, string>);
      assert.deepEqual(
        alarms.map(({ address, reason }) => [address, reason]),
        [[neighbour, 'The address is not that of the server.']],
        'logged once',
      );

      const installer = await requestScript(story.bootUrl, server);
      await install(story, installer);
      assert.equal((await orderOf(story)).mac, bootMac);
    });

    it('gets nothing by asking second, even if it has read the secret, and the server is installed', async () => {
      await using story = await open(server);
      await story.begin('reload');
      await story.poweredOn();
      const installer = await requestScript(story.bootUrl, server);
      assert.equal(await contestedBoots(story), 0);
      assert.equal(linkIn(await askForScript(story.bootUrl, neighbour)), undefined);
      assert.equal(await contestedBoots(story), 1);
      const thief = installerAt(installer.link, neighbour);
      for (const file of ['kernel', 'preseed.cfg', 'late.sh'])
        assert.deepEqual(await thief.fetch(file), { status: 404, text: '' }, file);
      await install(story, installer);
    });

    it('changes nothing by reporting a false result', async () => {
      await using story = await open();
      await story.begin('reload');
      await story.poweredOn();
      const guess = installerAt(`${story.bootUrl}/boot/${'0'.repeat(64)}`, neighbour);
      const installer = await requestScript(story.bootUrl, server);
      const thief = installerAt(installer.link, neighbour);
      for (const phase of ['Failed', 'Completed', 'Installing']) {
        assert.equal(await guess.report(phase), 404);
        assert.equal(await thief.report(phase), 404);
        assert.equal(await installer.report(phase), 404, 'nothing can report before it was fetched');
      }
      const { outcome, begun_at, reported_at } = await orderOf(story);
      assert.deepEqual([outcome, begun_at, reported_at], [null, null, null]);
      await install(story, installer);
    });

    it('stops a boot without a known address by asking, whoever asks first, and the server boots its disk', async () => {
      await using story = await open();
      for (const [first, second] of [
        [neighbour, server],
        [server, neighbour],
      ] as const) {
        await story.begin('reload');
        await story.poweredOn();
        const installer = await requestScript(story.bootUrl, first);
        assert.equal((await installer.fetch('kernel')).status, 200);
        assert.equal(linkIn(await askForScript(story.bootUrl, second)), undefined);
        for (const file of ['kernel', 'preseed.cfg', 'late.sh'])
          assert.equal((await installer.fetch(file)).status, 404);
        assert.equal(await installer.report('Completed'), 404);
        const { password_hash } = await orderOf(story);
        assert.equal(password_hash, null);
        await until(async () => (await story.status()).startsWith('Failed'));
        const failure = 'Failed: two machines requested the boot script of this server';
        assertResult(await story.v2('PUT', 'reload'), failure);
        await until(async () => !(await story.look()).locked);
        assert.deepEqual(await story.look(), runningFromDisk);
      }
      assert.equal(await contestedBoots(story), 2);
    });

    if (engine === 'postgres')
      it('stops a boot without a known address while a result is being reported', async () => {
        await using story = await open();
        await story.begin('reload');
        await story.poweredOn();
        const installer = await requestScript(story.bootUrl, server);
        assert.equal((await installer.fetch('kernel')).status, 200);
        const { id } = await orderOf(story);
        const stop = (queries: Queries) => reloadVoid(queries, id, 'Two machines requested the boot script.');
        const report = () => installer.report('Completed');
        assert.equal(await callDuring(story.app.parts.store, stop, report), 404);
        assert.equal((await orderOf(story)).outcome, 'Failed');
      });

    it('gets nothing with the address of the server once the server has used its links', async () => {
      await using story = await open(server);
      await story.begin('rescue');
      await story.poweredOn();
      const { link } = await requestScript(story.bootUrl, server);
      const retried = await requestScript(story.bootUrl, server);
      assert.equal(retried.link, link, 'firmware may retry until then');
      assert.equal(await contestedBoots(story), 0);
      await retried.fetch('kernel');
      assert.equal(linkIn(await askForScript(story.bootUrl, server)), undefined);
      assert.equal((await retried.fetch('init')).status, 404);
      assert.equal(await contestedBoots(story), 1);
      await until(async () => !(await story.look()).locked);
      assert.deepEqual(await story.look(), runningFromDisk);
    });

    it('gets nothing from outside the boot networks', async () => {
      await using story = await open();
      await story.apply((site) => ({ ...site, boot: { ...site.boot!, networks: ['192.0.2.0/24', `${server}/32`] } }));
      await story.begin('reload');
      await story.poweredOn();
      assert.equal(linkIn(await askForScript(story.bootUrl, neighbour)), undefined);
      await install(story, await requestScript(story.bootUrl, server));
    });

    it('is distinguished from an installer that uses the address of the new system', async () => {
      await using story = await open(server);
      const ownAddress = '127.0.0.4';
      await story.apply((site) => ({
        ...withFirstServer({ bootAddress: server })(site),
        netblocks: [...site.netblocks!, { cidr: '127.0.0.0/24', gateway: '127.0.0.1' }],
        services: site.services!.map((service) =>
          String(service.id) === story.service ? { ...service, ip: ownAddress } : service,
        ),
      }));
      await story.begin('reload');
      await story.poweredOn();
      assert.equal(linkIn(await askForScript(story.bootUrl, ownAddress)), undefined);
      const { link, script } = await requestScript(story.bootUrl, server);
      assert.ok(script.includes(`netcfg/get_ipaddress=${ownAddress}`), script);
      await install(story, installerAt(link, ownAddress));

      await story.begin('rescue');
      await story.poweredOn();
      const rescue = await requestScript(story.bootUrl, server);
      assert.equal((await installerAt(rescue.link, ownAddress).fetch('init')).status, 404);
      assert.equal((await rescue.fetch('init')).status, 200);
    });
  },
);

function withFirstServer(change: Partial<NonNullable<Site['servers']>[number]>) {
  return (site: Site): Site => ({
    ...site,
    servers: site.servers!.map((entry, index) => (index === 0 ? { ...entry, ...change } : entry)),
  });
}

async function orderOf({ app }: ReloadFixture) {
  const newest = app.parts.store.queries.selectFrom('reloads').selectAll().orderBy('id', 'desc');
  return newest.executeTakeFirstOrThrow();
}

/** Installs the server as an undisturbed installer does. */
async function install(story: ReloadFixture, installer: Installer): Promise<void> {
  assert.equal((await installer.fetch('kernel')).status, 200);
  assert.match((await installer.fetch('preseed.cfg')).text, /\$6\$/);
  assert.equal(await installer.report('Installing', { percent: '40' }), 204);
  assert.equal(await installer.report('Completed'), 204);
  story.bmc.chassis.restart();
  await until(async () => (await story.status()) === 'Completed');
  assert.deepEqual(await story.look(), runningFromDisk);
}

async function contestedBoots({ app }: ReloadFixture): Promise<number> {
  const { body } = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
  return Number(/^hostyard_contested_boots (\d+)$/m.exec(body)?.[1]);
}
