// The calls that tests make on one virtual machine, on both APIs, and what every hypervisor must do.
import assert from 'node:assert/strict';
import { waitForMachines } from '#app/site/machines.ts';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { waitForLastAction } from './actions.ts';
import { assertRejected, assertResult, requestDevice } from './devices.ts';
import { request, requestResult, type Envelope } from './request.ts';
import type { TestApp } from './app.ts';

/** Whose app and key are known only when the story begins. */
export function machineCalls(
  { service, vmid }: { readonly service: string; readonly vmid: string },
  caller: () => { readonly app: TestApp; readonly key: string },
) {
  const legacy = (path: string, form: Record<string, string> = {}) =>
    request<Envelope>(caller().app, 'POST', path, { key: caller().key, form: { vmid, ...form } });
  const v2 = (method: string, path: string, params: Record<string, unknown> = {}) =>
    requestDevice(caller().app, method, path, { service, key: caller().key, params });
  return {
    legacy,
    v2,
    /** Waits until the site file's machine is created, and checks how both APIs show it. */
    async assertCreated(type: 'Xen' | 'OpenVZ', memory: string): Promise<void> {
      const { app, key } = caller();
      await waitForMachines(app.parts, 120_000);
      const [machine] = (await legacy('/vps/list')).body.result as Record<string, unknown>[];
      assert.deepEqual(
        [machine?.['vmid'], machine?.['type'], machine?.['node'], machine?.['template'], machine?.['memory']],
        [vmid, type, 'real', 'tiny', memory],
      );
      assertResult(await v2('GET', 'power'), 'on');
      assertResult(await request(app, 'GET', `/vps/template/${type}`, { key }), [
        { name: 'Tiny Linux', value: 'tiny' },
      ]);
    },
    /** Samples the machine while it sends at least three kilobytes, and checks that its history shows them as sent. */
    async assertSampled(sendKilobytes: () => Promise<unknown>): Promise<void> {
      const { app, key } = caller();
      const start = Math.floor(app.parts.clock.now() / 1000);
      const sample = () => machineSampling(app.parts).run(AbortSignal.timeout(60_000));
      await sample();
      await sendKilobytes();
      // Two intervals, of which the second is complete.
      for (let minute = 0; minute < 11; minute++) {
        app.pass(62_000);
        await sample();
      }
      const read = (path: string) =>
        requestResult<Record<string, string>[]>(app, 'GET', `${path}/${service}`, { key, params: { start } });
      const traffic = await read('/v2/network/traffic');
      const sum = (bytes: 'inbytes' | 'outbytes') => traffic.reduce((total, row) => total + Number(row[bytes]), 0);
      assert.ok(sum('outbytes') >= 3000 && sum('inbytes') < 3000, JSON.stringify(traffic));
      const usage = await read('/v2/device/usage');
      assert.ok(
        // Some hypervisors know only one of the two.
        usage.some(({ cpu, memory, disk }) => cpu !== '' && Number(memory) + Number(disk) > 0),
        JSON.stringify(usage),
      );
    },
    /** Reinstalls the machine and removes its old system. Returns the new root password. */
    async reinstall(): Promise<string> {
      const { app, key } = caller();
      assertRejected(await legacy('/vps/reinstall', { template: 'no-such' }), 422);
      const response = await legacy('/vps/reinstall', { template: 'tiny' });
      assert.equal(response.status, 200, JSON.stringify(response.body));
      const { status, error } = await waitForLastAction(app, key, service);
      assert.deepEqual([status, error], ['Completed', '']);
      await machineTidy(app.parts).run(new AbortController().signal);
      return String(response.body.result);
    },
  };
}
