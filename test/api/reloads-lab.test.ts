// Network boot in the lab, with nobody playing the installer: its servers fetch what was rendered for them and report by
// themselves, behind either kind of controller, and root has the password that the call answered.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startNetworkBoot } from '#admin/network-boot.ts';
import { watch, type Viewer } from '#test/support/console.ts';
import { deviceOf, type TestDevice } from '#test/support/devices.ts';
import { request } from '#test/support/request.ts';
import { openTestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

interface LabDevice extends TestDevice {
  /** Calls of any service of the customer. */
  call(method: string, path: string, params: Record<string, string>): Promise<string>;
}

async function openLab(): Promise<LabDevice> {
  await using owned = new AsyncDisposableStack();
  const yard = owned.use(await openTestYard({ worksOffJobs: true }));
  const boot = owned.use((await startNetworkBoot(yard.parts, yard.site.boot))!);
  yard.equipment.bootFrom(boot.url);
  const kept = owned.move();
  return {
    ...deviceOf(yard),
    async call(method, path, params) {
      const answer = await request<{ result: string }>(yard, method, `/v2/device/${path}`, {
        key: yard.lab.customer.key,
        params,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function ends(device: LabDevice, service: string): Promise<string> {
  let status = '';
  await until(async () => {
    status = await device.call('PUT', 'reload', { service });
    return /^(Completed|Failed|Cancelled)/.test(status);
  });
  return status;
}

/** The prompt of before is not the one that is waited for. */
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
  it('installs by every kind of installer, and root logs in on the serial console with the new password', async () => {
    await using device = await openLab();
    await using viewer = await watch(device);
    const { service } = device;
    let last = 'root';
    for (const value of ['debian-12', 'os-a-6-64-bit', 'os-h-6.2']) {
      const shown = viewer.text().length;
      const password = await device.call('POST', 'reload', { service, value });
      assert.equal(await ends(device, service), 'Completed', viewer.text());
      await until(() => viewer.text().slice(shown).endsWith('login: '));
      assert.equal(await logsIn(viewer, last), false);
      assert.equal(await logsIn(viewer, password), true);
      last = password;
    }
    assert.doesNotMatch(viewer.text(), /[0-9a-f]{64}/, 'the secret of a boot is not shown');
  });

  it('works behind Redfish as behind IPMI', async () => {
    await using device = await openLab();
    await device.call('POST', 'reload', { service: '1002', value: 'debian-12' });
    assert.equal(await ends(device, '1002'), 'Completed');
  });

  it('brings a rescue system with a password of its own, which is gone with it', async () => {
    await using device = await openLab();
    await using viewer = await watch(device);
    const { service } = device;
    const password = await device.call('POST', 'rescue', { service });
    await viewer.shows('/init... ok');
    await until(() => viewer.text().endsWith('login: '));
    assert.equal(await logsIn(viewer, password), true);
    const shown = viewer.text().length;
    await device.call('DELETE', 'rescue', { service });
    await until(() => viewer.text().slice(shown).endsWith('login: '));
    assert.equal(await logsIn(viewer, password), false);
    assert.equal(await logsIn(viewer, 'root'), true);
  });

  it('boots the disk of a server that is told to boot from the network for nothing', async () => {
    await using device = await openLab();
    const { service, bmc } = device;
    await device.call('PUT', 'power', { service, request: 'pxe' });
    await device.call('POST', 'power', { service, action: 'reboot' });
    await until(() => bmc.chassis.events.at(-1)?.text === 'boot from disk');
  });
});
