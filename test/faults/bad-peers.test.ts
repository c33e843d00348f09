// Every driver of every registry, led to equipment that hangs, is gone or lies: the call ends within its time, as a fault that says
// so, and takes no memory to speak of. A driver that is new to a registry and not to this table fails here.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { Fault } from '#kernel/fault.ts';
import { startBadPeer, vices, type BadPeer, type Vice } from '#test/support/bad-peer.ts';

type Ask = (peer: BadPeer, signal: AbortSignal) => Promise<unknown>;

const askedMs = 2500;
/** All drivers with their modules take some 150; who kept what never ends would take gigabytes. */
const mostMegabytes = 600;
const login = { username: 'provider', password: 'secret' };
const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const bmcs = openBmcDrivers();
after(() => bmcs.close());

/** `none` where there is no peer that could be bad. */
const asks: Record<string, Record<string, Ask | 'none'>> = {
  bmc: {
    ipmi: controller('ipmi', ({ datagramPort: port }) => ({ address: '127.0.0.1', port, ...login })),
    redfish: controller('redfish', ({ port }) => ({ address: '127.0.0.1', port, ...login, fingerprint })),
  },
  switch: {
    snmp: async ({ datagramPort: port }, signal) => {
      const settings = { version: '2c', address: '127.0.0.1', port, community: 'public', timeoutMs: 300 };
      await using device = await switchDrivers['snmp']!.open(settings as never, signal);
      return await device.counters(signal);
    },
  },
  hypervisor: {
    lab: node('lab', ({ port }) => ({ address: '127.0.0.1', port, token: 'token' })),
    libvirt: node('libvirt', ({ socket }) => ({ socket, pool: 'default', accelerator: 'tcg' })),
    lxd: node('lxd', ({ socket }) => ({ socket, pool: 'default' })),
  },
  routes: {
    gobgp: async ({ port }, signal) => {
      await using router = await routeDrivers['gobgp']!.open({ address: `127.0.0.1:${port}` } as never, signal);
      return await router.list(signal);
    },
    file: 'none',
  },
  nameserver: {
    powerdns: async ({ port }, signal) => {
      const settings = { url: `http://127.0.0.1:${port}`, apiKey: 'key', timeoutMs: 1000, writers: 'one' as const };
      await using server = openPowerDns(settings);
      return await server.list(signal);
    },
  },
};

function controller(name: string, settings: (peer: BadPeer) => object): Ask {
  return async (peer, signal) => {
    await using bmc = await bmcs.drivers[name]!.open(settings(peer) as never);
    return await bmc.power.state(signal);
  };
}
function node(name: string, settings: (peer: BadPeer) => object): Ask {
  return async (peer, signal) => {
    await using hypervisor = await hypervisorDrivers[name]!.open(settings(peer) as never);
    return await hypervisor.room(signal);
  };
}

describe('a peer of which nothing good comes', { concurrency: true }, () => {
  test('is known for every driver there is', () => {
    const registries = {
      bmc: bmcs.drivers,
      switch: switchDrivers,
      hypervisor: hypervisorDrivers,
      routes: routeDrivers,
    };
    for (const [kind, drivers] of Object.entries(registries))
      assert.deepEqual(Object.keys(asks[kind]!).toSorted(), Object.keys(drivers).toSorted(), kind);
  });

  for (const vice of Object.keys(vices) as Vice[]) {
    test(`that ${vice} is a fault of the equipment, told in time`, async () => {
      const before = process.memoryUsage().rss;
      const all = Object.entries(asks).flatMap(([kind, drivers]) =>
        Object.entries(drivers).flatMap(([name, ask]) => (ask === 'none' ? [] : [{ what: `${kind} ${name}`, ask }])),
      );
      await Promise.all(
        all.map(async ({ what, ask }) => {
          await using peer = await startBadPeer(vice);
          const outcome = await ask(peer, AbortSignal.timeout(askedMs)).then(
            (value) => `answered ${JSON.stringify(value)}`,
            (error: unknown) => error,
          );
          const isTold =
            outcome instanceof NameServerError ||
            (outcome instanceof Fault && (outcome.status === 502 || outcome.status === 504));
          assert.ok(isTold, `${what} said of a peer that ${vice}: ${String(outcome)}`);
        }),
      );
      const grownBy = (process.memoryUsage().rss - before) / 2 ** 20;
      assert.ok(grownBy < mostMegabytes, `${Math.round(grownBy)} MB more`);
    });
  }
});
