// Network boot in the lab without a test acting as the installer: its servers fetch their rendered files and report on
// their own, behind either kind of BMC, and root has the returned password.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startNetworkBoot } from '#server/network-boot.ts';
import { watchConsole, type Viewer } from '#test/support/console.ts';
import { deviceOf, type TestDevice } from '#test/support/devices.ts';
import { requestResult } from '#test/support/request.ts';
import { openTestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';
import { withResources } from '#test/support/resources.ts';

interface LabDevice extends TestDevice {
  /** Calls for any service of the customer. */
  call(method: string, path: string, params: Record<string, string>): Promise<string>;
}

async function openLab(): Promise<LabDevice> {
  await using owned = new AsyncDisposableStack();
  const app = owned.use(await openTestApp({ worksOffJobs: true }));
  const boot = owned.use((await startNetworkBoot(app.parts, app.site.boot))!);
  app.equipment.bootFrom(boot.url);
  return withResources(owned, {
    ...deviceOf(app),
    async call(method, path, params) {
      return requestResult<string>(app, method, `/v2/device/${path}`, { key: app.lab.customer.key, params });
    },
  });
}

async function ends(device: LabDevice, service: string): Promise<string> {
  let status = '';
  await until(async () => {
    status = await device.call('PUT', 'reload', { service });
    return /^(Completed|Failed|Cancelled)/.test(status);
  });
  return status;
}

/** Ignores an earlier prompt. */
async function logsIn(viewer: Viewer, password: string): Promise<boolean> {
  const before = viewer.text().length;
  const since = (): string => viewer.text().slice(before);
  viewer.type('root\n');
  await until(() => since().includes('Password:'));
  viewer.type(`${password}\n`);
  await until(() => /:~# |Login incorrect/.test(since()));
  const isIn = !since().includes('Login incorrect');
  if (isIn) viewer.type('exit\n');
  await until(() => since().endsWith('login: '));
  return isIn;
}

describe('network boot in the lab', { concurrency: true }, () => {
  it('installs with every kind of installer, and root logs in on the serial console with the new password', async () => {
    await using device = await openLab();
    await using viewer = await watchConsole(device);
    const { service } = device;
    let last = 'root';
    const systems = {
      'debian-12': 'Debian GNU/Linux 12',
      'centos-6-64-bit': 'CentOS 6 (64-bit)',
      'ubuntu-24.04': 'Ubuntu 24.04 LTS',
    };
    for (const [value, title] of Object.entries(systems)) {
      const printedBefore = viewer.text().length;
      const password = await device.call('POST', 'reload', { service, value });
      assert.equal(await ends(device, service), 'Completed', viewer.text());
      await until(() => viewer.text().slice(printedBefore).endsWith('login: '));
      const printed = viewer.text().slice(printedBefore);
      assert.ok(printed.includes(`${title} web1 ttyS0`), 'the new system says what it is');
      assert.match(printed, /Memory: 16384 MB OK/, 'as much as its parts list says');
      assert.equal(await logsIn(viewer, last), false);
      assert.equal(await logsIn(viewer, password), true);
      last = password;
    }
    assert.doesNotMatch(viewer.text(), /[0-9a-f]{64}/, "the boot's secret is not shown");
  });

  it('works behind Redfish as behind IPMI', async () => {
    await using device = await openLab();
    await device.call('POST', 'reload', { service: '1002', value: 'debian-12' });
    assert.equal(await ends(device, '1002'), 'Completed');
  });

  it('starts a rescue system with its own password, which is removed with it', async () => {
    await using device = await openLab();
    await using viewer = await watchConsole(device);
    const { service } = device;
    const password = await device.call('POST', 'rescue', { service });
    await viewer.shows('/init... ok');
    await until(() => viewer.text().endsWith('login: '));
    assert.equal(await logsIn(viewer, password), true);
    const printedBefore = viewer.text().length;
    await device.call('DELETE', 'rescue', { service });
    await until(() => viewer.text().slice(printedBefore).endsWith('login: '));
    assert.equal(await logsIn(viewer, password), false);
    assert.equal(await logsIn(viewer, 'root'), true);
  });

  it('boots the disk of a server that boots from the network without an order', async () => {
    await using device = await openLab();
    const { service, bmc } = device;
    await device.call('PUT', 'power', { service, request: 'pxe' });
    await device.call('POST', 'power', { service, action: 'reboot' });
    await until(() => bmc.chassis.events.at(-1)?.text === 'boot from disk');
  });
});
