// A controller that speaks Redfish beside IPMI: images come through the one, everything else through the other, and the silence of
// the one is not the silence of the other.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { Fault } from '#kernel/fault.ts';
import { startLabBmc } from '#lab/bmc/bmc.ts';
import { startLabRedfish } from '#lab/redfish/redfish.ts';
import { openFleet } from '#wire/ipmi/fleet.ts';
import { need } from './driver.ts';
import { ipmiDriver } from './ipmi.ts';

const admin = { username: 'provider', password: 'correct horse' };
const timing = { bootMs: 1, cycleOffMs: 1, softOffMs: 1, absenceMs: 300 };
const soon = (): AbortSignal => AbortSignal.timeout(60_000);

describe('IPMI with Redfish beside it', () => {
  it('has virtual media, before the same server', async () => {
    await using owned = new AsyncDisposableStack();
    const lab = owned.use(await startLabBmc({ admin, timing }));
    const beside = owned.use(await startLabRedfish({ admin, timing, server: lab.server }));
    const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
    owned.defer(() => fleet.close());
    const images = createServer((_, response) => response.end());
    images.listen(0, '127.0.0.1');
    await once(images, 'listening');
    owned.defer(() => new Promise<void>((resolve) => images.close(() => resolve())));
    const image = `http://127.0.0.1:${(images.address() as AddressInfo).port}/disc.iso`;

    const place = { address: lab.address, port: lab.port, ...admin };
    const redfish = { address: beside.address, port: beside.port, fingerprint: beside.fingerprint, ...admin };
    await using bmc = await ipmiDriver(async () => fleet).open({ ...place, redfish });
    const media = need(bmc, 'media');
    await media.insert(image, soon());
    assert.equal(beside.drive.image, image);
    assert.ok(await media.inserted(soon()));
    await bmc.power.set('on', soon());
    assert.equal(beside.chassis.power, 'on', 'they stand before one server');
    await media.eject(soon());
    assert.equal(beside.drive.image, undefined);
    images.closeAllConnections();
  });

  it('is as good as IPMI alone where the Redfish service is not there', async () => {
    await using lab = await startLabBmc({ admin, timing });
    const fleet = await openFleet({ retransmitMs: 100, deadlineMs: 60_000 });
    try {
      const place = { address: lab.address, port: lab.port, ...admin };
      const redfish = { address: '127.213.1.1', port: 1, fingerprint: '00'.repeat(32), ...admin };
      await using bmc = await ipmiDriver(async () => fleet).open({ ...place, redfish });
      await bmc.power.set('on', soon());
      assert.equal(await bmc.power.state(soon()), 'on');
      await assert.rejects(
        need(bmc, 'media').eject(AbortSignal.timeout(1000)),
        (error: unknown) => error instanceof Fault && error.code === 'bmc_unreachable',
      );
    } finally {
      await fleet.close();
    }
  });
});
