// Reloads of a dedicated server. Its BMC is a simulator, and the test acts as its installer through the boot server's
// links.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cryptMatches } from '#lib/crypt-hash.ts';
import type { ReloadLogLine } from '#sdk/v2.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { readStream, type StreamReader } from '#test/support/event-stream.ts';
import {
  bootMac,
  runningFromDisk,
  openReloadFixture,
  type Installer,
  type ReloadFixture,
} from '#test/support/reloads.ts';
import { request, requestResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ ada@home';

describeOnEngines('reloads', { postgres: 'in long runs', concurrency: true }, ({ newDatabase }) => {
  const open = async (): Promise<ReloadFixture> => openReloadFixture(await newDatabase());

  it('a reload goes from the call to the new system, with all its events', async () => {
    await using story = await open();
    const { app, v2, legacy } = story;
    assertResult(await v2('PUT', 'reload'), 'No reload in progress');
    assertResult(await legacy('/ipmi/pxe', { action: 'status' }), { status: 'No reload in progress', image: '' });
    const offered = (await v2('GET', 'reload')).body.result as { value: string }[];
    assert.deepEqual(
      offered.map(({ value }) => value),
      ['debian-12', 'uefi-only'],
    );

    const { key } = app.lab.customer;
    const params = { service: story.service, value: 'debian-12', sshkeys: [sshKey] };
    const once = { key, params, headers: { 'idempotency-key': 'reload-once' } };
    const password = await requestResult<string>(app, 'POST', '/v2/device/reload', once);
    assert.match(password, /^[a-zA-Z2-9]{16}$/);
    const again = await requestResult<string>(app, 'POST', '/v2/device/reload', once);
    assert.equal(again, password);
    const second = assertRejected(await v2('POST', 'reload', { value: 'debian-12' }), 409, 'state_conflict');
    assert.match(second, /^A reload with Debian 12 is in progress: (Queued|Booting)\.$/);
    assertRejected(await v2('POST', 'password'), 409, 'state_conflict');
    assertRejected(await v2('POST', 'rescue'), 409, 'state_conflict');

    const installer = await story.booted();
    await until(async () => (await story.status()) === 'Booting');
    const disk = await fetch(`${story.bootUrl}/boot/ipxe/52-54-00-00-10-02`);
    assert.ok(!(await disk.text()).includes('/boot/'), 'an unknown MAC address boots its disk');
    assert.equal((await installer.fetch('kernel')).text, 'the kernel');
    const preseed = (await installer.fetch('preseed.cfg')).text;
    const hash = /\$6\$\S+/.exec(preseed)?.[0] ?? '';
    assert.ok(cryptMatches(password, hash), preseed);
    assert.ok(installer.script.includes('203.0.113.1') && preseed.includes('get_hostname string web1'));
    assert.ok((await installer.fetch('disk.sh')).text.includes('LAB-SSD-1'));
    const printed = Buffer.from(`${sshKey}\n`).toString('base64');
    const late = (await installer.fetch('late.sh')).text;
    assert.ok(late.includes(printed));
    // The main address is on the kernel's command line.
    const [, stanzas = ''] = /echo (\S+) \| base64 -d \| sed/.exec(late) ?? [];
    assert.deepEqual(
      Buffer.from(stanzas, 'base64')
        .toString()
        .match(/(?<=address ).*/g),
      [
        '2001:db8:1::10/48',
        ...Array.from({ length: 8 }, (_, index) => `203.0.113.${32 + index}/24`),
        '2001:db8:1:1001::/48',
      ],
    );
    assert.equal(await installer.report('Installing', { percent: '40' }), 204);
    assertResult(await v2('PUT', 'reload'), 'Installing 40%');
    assert.equal((await installer.fetch('preseed.cfg')).status, 404, 'the hash is gone once the installer has it');
    await installer.report('Installing', { percent: '20' });
    assertResult(await v2('PUT', 'reload'), 'Installing 40%');

    const other = await v2('POST', 'power', { action: 'off' });
    assert.match(assertRejected(other, 409, 'device_busy'), /a reload is running/);

    assert.equal(await installer.report('Completed'), 204);
    story.bmc.chassis.restart();
    await until(async () => (await story.status()) === 'Completed');
    assert.deepEqual(await story.look(), runningFromDisk);
    assert.equal(await installer.report('Completed'), 404, 'its links are dead');
    assertResult(await legacy('/ipmi/pxe', { action: 'status' }), { status: 'Completed', image: '149' });
    assertRejected(await v2('DELETE', 'reload'), 409, 'state_conflict');

    const types = (await story.events()).map(({ type, data }) => `${type} ${String(data['status'] ?? '')}`.trim());
    assert.deepEqual(
      types.filter((type) => type.startsWith('device.reload')),
      [
        'device.reload.started',
        'device.reload.progress Installing 40%',
        'device.reload.progress Installing 100%',
        'device.reload.completed',
      ],
    );
    const log = (await v2('GET', 'reload/log')).body.result as { status: string; text: string }[];
    // The server may request its script before its power state is recorded.
    assert.deepEqual(
      [...new Set(log.map(({ status }) => status))],
      ['Queued', 'Booting', 'Installing 40%', 'Installing 100%', 'Completed'],
    );
    const rows = JSON.stringify(await app.parts.store.queries.selectFrom('reloads').selectAll().execute());
    assert.ok(!rows.includes(password) && !rows.includes('$6$') && !rows.includes(installer.link.split('/').at(-1)!));
  });

  it('its log is a stream that ends with it and can be resumed', async () => {
    await using story = await open();
    const { app, v2 } = story;
    const path = `/v2/device/reload/log/${story.service}`;
    const follow = (lastEventId?: string): Promise<StreamReader<ReloadLogLine>> =>
      readStream(app, path, {
        key: app.lab.customer.key,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
    const statuses = (lines: readonly { data: ReloadLogLine }[]): string[] => [
      ...new Set(lines.map(({ data }) => data.status)),
    ];
    assert.equal((await follow()).status, 204, 'there was none yet');

    await story.begin('reload');
    await using reader = await follow();
    assert.deepEqual([reader.status, reader.headers.get('content-type')], [200, 'text/event-stream']);
    const queued = (await reader.next())!;
    assert.equal(queued.data.status, 'Queued');
    const installer = await story.booted();
    await installer.fetch('preseed.cfg');
    await installer.report('Installing', { percent: '40', message: 'packages' });
    const logLines = [queued];
    while (logLines.at(-1)!.data.text !== 'packages') logLines.push((await reader.next())!);
    assert.deepEqual(statuses(logLines), ['Queued', 'Booting', 'Installing 40%']);
    assert.ok(logLines.some(({ data }) => data.text === 'The server fetched the settings of its new system.'));
    await using resumed = await follow(queued.id);
    assert.deepEqual(await resumed.take(logLines.length - 1), logLines.slice(1));

    await installer.report('Completed');
    const rest = await resumed.take(Infinity);
    assert.deepEqual(statuses(rest), ['Installing 100%', 'Completed']);
    assert.deepEqual(await reader.take(Infinity), rest, 'both have ended on their own');
    const all = [...logLines, ...rest];
    assertResult(
      await v2('GET', 'reload/log'),
      all.map(({ data }) => data),
    );
    assert.deepEqual(await (await follow()).take(Infinity), all, 'afterwards it is returned as a whole');
    assert.equal((await follow(rest.at(-1)!.id)).status, 204, 'nothing is to follow');

    await story.begin('reload');
    assert.equal((await follow(rest.at(-1)!.id)).status, 204, 'a cursor belongs to its reload');
    assertResult(await v2('DELETE', 'reload'), 'Reload Cancelled');
    assert.deepEqual(statuses(await (await follow()).take(Infinity)).at(-1), 'Cancelled');

    assert.equal((await follow('nonsense')).status, 400);
    assert.equal((await follow(`${rest[0]!.id}0000000000`)).status, 400);
    const strange = { key: app.lab.stranger.key, lastEventId: queued.id };
    assert.equal((await readStream(app, path, strange)).status, 404);
    const strangerPath = `/v2/device/reload/log/${app.lab.stranger.service}`;
    assert.equal((await readStream(app, strangerPath, strange)).status, 400, 'of another server');
    const onMachine = `/v2/device/reload/log/${app.lab.vps.service}`;
    assert.equal((await readStream(app, onMachine, { key: app.lab.customer.key })).status, 422);
  });

  it('after cancelling in any phase, the server boots its disk again', async () => {
    await using story = await open();
    const { v2 } = story;
    const switchedOff = (): number => story.bmc.chassis.events.filter(({ text }) => text === 'power off').length;
    let offsBefore = 0;
    const phases: Record<string, () => Promise<void>> = {
      'before it is touched': async () => {},
      'while it is off': async () => until(() => switchedOff() > offsBefore),
      'while it boots': async () => {
        await until(async () => (await story.status()) === 'Booting');
      },
      'while it installs': async () => {
        installer = await story.booted();
        await installer.report('Installing', { percent: '50' });
      },
    };
    let installer: Installer | undefined;
    for (const [phase, reached] of Object.entries(phases)) {
      offsBefore = switchedOff();
      await story.begin('reload');
      await reached();
      assertResult(await v2('DELETE', 'reload'), 'Reload Cancelled');
      if (installer !== undefined) assert.equal((await installer.fetch('kernel')).status, 404, 'its links are dead');
      assertResult(await v2('PUT', 'reload'), 'Cancelled');
      assertRejected(await v2('DELETE', 'reload'), 409, 'state_conflict');
      await until(async () => !(await story.look()).locked);
      assert.deepEqual(await story.look(), runningFromDisk, phase);
    }
    const cancelled = (await story.events()).filter(({ type }) => type === 'device.reload.cancelled');
    assert.equal(cancelled.length, Object.keys(phases).length);
  });

  it('each phase has a time limit, and its error is understandable to a customer', async () => {
    await using story = await open();
    const failsWith = async (reason: string): Promise<void> => {
      await until(async () => (await story.status()).startsWith('Failed'));
      assertResult(await story.v2('PUT', 'reload'), `Failed: ${reason}`);
      await until(async () => !(await story.look()).locked);
      assert.deepEqual(await story.look(), runningFromDisk);
    };
    await story.allow({ script: 1 });
    await story.begin('reload');
    await failsWith('the server did not request its boot script within 1 second');

    await story.allow({ start: 1 });
    await story.begin('reload');
    await story.booted();
    await failsWith('the installer did not start within 1 second');

    await story.allow({ install: 1 });
    await story.begin('reload');
    await (await story.booted()).report('Installing', { percent: '99' });
    await failsWith('the installer did not finish within 1 second');

    await story.allow({});
    await story.begin('reload');
    await (await story.booted()).report('Failed', { message: 'no disk\r\nwas found' });
    await failsWith('the installer reported: no disk was found');
    const failed = (await story.events()).filter(({ type }) => type === 'device.reload.failed');
    assert.equal(failed.length, 4);
  });

  it('a reload is undone as soon as a BMC that failed in the middle responds again', async () => {
    await using story = await open();
    const { v2, bmc } = story;
    await story.begin('reload');
    const installer = await story.booted();
    await installer.report('Installing', { percent: '10' });
    bmc.setMalfunctions({ isSilent: true });
    await installer.report('Failed', { message: 'no disk was found' });
    await until(async () => (await story.status()).startsWith('Failed'));
    const failure = 'Failed: the installer reported: no disk was found';
    assertResult(await v2('PUT', 'reload'), failure);
    const log = (await v2('GET', 'reload/log')).body.result as ReloadLogLine[];
    assert.equal(log.at(-1)?.status, failure, 'it is reported before the BMC is back');
    assert.equal((await installer.fetch('kernel')).status, 404);
    assert.match(
      assertRejected(await v2('POST', 'reload', { value: 'debian-12' }), 409),
      /^A reload with Debian 12 is being undone: Failed/,
    );
    assert.deepEqual(await story.look(), { ...runningFromDisk, runs: 'pxe', locked: true });
    bmc.setMalfunctions({});
    await until(async () => !(await story.look()).locked);
    assert.deepEqual(await story.look(), runningFromDisk);
    await story.begin('reload');
  });

  it("a BMC that is unreachable until the installer's time is over gets its boot order restored when it responds", async () => {
    await using story = await open();
    await story.allow({ install: 1 });
    await story.begin('reload');
    const installer = await story.booted();
    // As on a server that has not booted since: the BMC may still have the boot order.
    story.bmc.chassis.bootFlags = { isValid: true, device: 'pxe', isPersistent: false, isUefi: false };
    story.bmc.setMalfunctions({ isSilent: true });
    await installer.report('Installing', { percent: '10' });
    await until(async () => (await story.status()).startsWith('Failed'));
    assertResult(await story.v2('PUT', 'reload'), 'Failed: the installer did not finish within 1 second');
    assert.equal((await installer.fetch('kernel')).status, 404, 'its links are dead before the BMC responds');
    const disk = await fetch(`${story.bootUrl}/boot/ipxe/${encodeURIComponent(bootMac)}`);
    assert.ok(!(await disk.text()).includes('/boot/'), 'it boots its disk if it restarts before that');
    assert.equal((await story.look()).locked, true);
    story.bmc.setMalfunctions({});
    await until(async () => !(await story.look()).locked);
    assert.deepEqual(await story.look(), runningFromDisk);
  });

  it('a server is offered, and boots, what fits its firmware', async () => {
    await using story = await open();
    const { v2, bmc } = story;
    const firmwareIs = (firmware: 'bios' | 'uefi'): Promise<void> =>
      story.apply((site) => ({ ...site, servers: site.servers!.map((server) => ({ ...server, firmware })) }));
    const isOffered = async (): Promise<boolean> =>
      ((await v2('GET', 'reload')).body.result as { value: string }[]).some(({ value }) => value === 'uefi-only');
    assert.equal(await isOffered(), true, 'nobody knows better');

    await firmwareIs('bios');
    assert.equal(await isOffered(), false);
    const misfit = assertRejected(await v2('POST', 'reload', { value: 'uefi-only' }), 422, 'capability_missing');
    assert.equal(misfit, 'UEFI system requires UEFI, but this server boots with BIOS.');
    assertResult(await v2('PUT', 'power', { request: 'pxe' }), 'Set Boot Device to pxe');
    assert.equal(bmc.chassis.bootFlags.isUefi, false);

    // The BMC is already in use, and still learns about the new firmware.
    await firmwareIs('uefi');
    assert.equal(await isOffered(), true);
    assertResult(await v2('PUT', 'power', { request: 'pxe' }), 'Set Boot Device to pxe');
    assert.equal(bmc.chassis.bootFlags.isUefi, true);
  });

  it('what does not fit is rejected before the server is touched', async () => {
    await using story = await open();
    const { v2, legacy, app } = story;
    assert.match(
      assertRejected(await v2('POST', 'reload', { value: 'windows' }), 422, 'not_in_catalogue'),
      /debian-12/,
    );
    assertRejected(await v2('POST', 'reload', { value: 'rescue' }), 422, 'not_in_catalogue');
    assert.match(assertRejected(await v2('POST', 'reload', { value: 'large' }), 422, 'capability_missing'), /8000 GB/);
    assert.match(assertRejected(await v2('POST', 'reload', { value: 'pxe-71' }), 422, 'not_in_catalogue'), /no files/);
    assert.match(assertRejected(await legacy('/ipmi/pxe', { action: 'start', image: '9' }), 422), /149, 11\./);
    assertRejected(await legacy('/ipmi/pxe', { action: 'start' }), 400);
    assertRejected(await v2('POST', 'reload', { value: 'debian-12', sshkeys: ['no key'] }), 400, 'invalid_parameter');
    assertRejected(await legacy('/ipmi/pxe', { action: 'stop' }), 409);
    for (const path of ['reload', 'password', 'rescue']) {
      const params = { service: app.lab.stranger.service, value: 'debian-12' };
      const { key } = app.lab.customer;
      const own = path === 'reload' ? params : { service: params.service };
      assert.equal((await request(app, 'POST', `/v2/device/${path}`, { key, params: own })).status, 404, path);
    }
    const machine = { key: app.lab.customer.key, params: { service: app.lab.vps.service } };
    assert.equal((await request(app, 'PUT', '/v2/device/reload', machine)).status, 422);
    assert.equal((await request(app, 'POST', '/v2/device/rescue', machine)).status, 422);
    assert.deepEqual(await story.look(), runningFromDisk);
  });

  it('the legacy API drives the same reload, and its password is collected', async () => {
    await using story = await open();
    const { v2, legacy } = story;
    assertResult(await legacy('/ipmi/pxe', { action: 'start', image: '149' }), 'Installation Started');
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');
    assertResult(await legacy('/ipmi/pxe', { action: 'stop' }), 'Installation Stopped');
    assertResult(await legacy('/ipmi/pxe', { action: 'status' }), { status: 'Cancelled', image: '149' });
    assertResult(await v2('PUT', 'reload'), 'Cancelled');
    await until(async () => !(await story.look()).locked);
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');

    assertResult(await legacy('/ipmi/pxe', { action: 'start', image: '149' }), 'Installation Started');
    const installer = await story.booted();
    const hash = /\$6\$\S+/.exec((await installer.fetch('preseed.cfg')).text)![0];
    await installer.report('Completed');
    await until(async () => (await story.status()) === 'Completed');
    const { body } = await v2('PUT', 'password');
    assert.ok(cryptMatches(body.result as string, hash));
    assertRejected(await v2('PUT', 'password'), 409, 'state_conflict');
  });
});
