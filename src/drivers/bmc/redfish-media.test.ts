import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { startLabRedfish } from '#lab/redfish/redfish.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';
import { requireCapability } from './driver.ts';
import { ipmiDriver } from './ipmi.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const testTimeout = (): AbortSignal => AbortSignal.timeout(60_000);

describe('IPMI with Redfish media', () => {
  it('controls media and power of the same server', async () => {
    await using stack = new AsyncDisposableStack();
    const lab = stack.use(await startLabBmc({ admin, timing }));
    const service = stack.use(await startLabRedfish({ admin, timing, server: lab.server }));
    const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
    stack.defer(() => fleet.close());
    const images = createServer((_, response) => response.end());
    images.listen(0, '127.0.0.1');
    await once(images, 'listening');
    stack.defer(() => new Promise<void>((resolve) => images.close(() => resolve())));
    const image = `http://127.0.0.1:${(images.address() as AddressInfo).port}/disc.iso`;

    const endpoint = { address: lab.address, port: lab.port, ...admin };
    const redfish = { address: service.address, port: service.port, fingerprint: service.fingerprint, ...admin };
    await using bmc = await ipmiDriver(async () => fleet).open({ ...endpoint, redfish });
    const media = requireCapability(bmc, 'media');
    await media.insert(image, testTimeout());
    assert.equal(service.drive.image, image);
    assert.ok(await media.currentImage(testTimeout()));
    await bmc.power.set('on', testTimeout());
    assert.equal(service.chassis.power, 'on', 'both control one server');
    await media.eject(testTimeout());
    assert.equal(service.drive.image, undefined);
    images.closeAllConnections();
  });

  it('works like IPMI alone if the Redfish service is unreachable', async () => {
    await using lab = await startLabBmc({ admin, timing });
    const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
    try {
      const endpoint = { address: lab.address, port: lab.port, ...admin };
      const redfish = { address: '127.213.1.1', port: 1, fingerprint: '00'.repeat(32), ...admin };
      await using bmc = await ipmiDriver(async () => fleet).open({ ...endpoint, redfish });
      await bmc.power.set('on', testTimeout());
      assert.equal(await bmc.power.state(testTimeout()), 'on');
      await assert.rejects(requireCapability(bmc, 'media').eject(AbortSignal.timeout(1000)), {
        name: 'ApiError',
        code: 'bmc_unreachable',
      });
    } finally {
      await fleet.close();
    }
  });
});
