// Sends many random and mutated datagrams to the simulator and the client while they talk to each other.

import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openFleet } from '#protocols/ipmi/fleet.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { until } from '#test/support/until.ts';
import { startLabBmc } from './bmc.ts';
import { seededRandom } from './malfunctions.ts';

const admin = { username: 'provider', password: 'correct horse' };

async function boundSocket(): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1024 * 1024 }).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** A proxy between client and BMC, which records valid datagrams of both and can impersonate either. */
async function startMeddler(bmc: { address: string; port: number }) {
  const [toClient, toBmc] = await Promise.all([boundSocket(), boundSocket()]);
  const datagrams: Buffer[] = [];
  let client: RemoteInfo | undefined;
  toClient.on('message', (datagram, from) => {
    client = from;
    datagrams.push(datagram);
    toBmc.send(datagram, bmc.port, bmc.address);
  });
  toBmc.on('message', (datagram) => {
    datagrams.push(datagram);
    if (client !== undefined) toClient.send(datagram, client.port, client.address);
  });
  return {
    port: toClient.address().port,
    heard: datagrams,
    atBmc: (datagram: Buffer) => toBmc.send(datagram, bmc.port, bmc.address),
    atClient: (datagram: Buffer) => client && toClient.send(datagram, client.port, client.address),
    close: () => {
      toClient.close();
      toBmc.close();
    },
  };
}

function mutate(datagram: Buffer, random: () => number): Buffer {
  const below = (limit: number): number => Math.floor(random() * limit);
  const kind = below(4);
  // Unchanged: a replay.
  if (kind === 0) return datagram;
  if (kind === 1) return datagram.subarray(0, below(datagram.length));
  if (kind === 2) return Buffer.concat([datagram, Buffer.alloc(below(40), below(256))]);
  const changed = Buffer.from(datagram);
  for (let count = 1 + below(4); count > 0; count--) changed[below(changed.length)] = below(256);
  return changed;
}

describe('hostile datagrams', () => {
  it('disturb neither the BMC nor the client, and leak no session', async () => {
    const lab = await startLabBmc({ admin, timing: { sessionIdleMs: 1_000, bootMs: 1 }, maxSessions: 100_000 });
    const meddler = await startMeddler(lab);
    const fleet = await openFleet({ retransmitMs: 100, attempts: 8, deadlineMs: 30_000 });
    const bmc = fleet.bmc({ address: '127.0.0.1', port: meddler.port, ...admin });
    const random = seededRandom(4);
    await bmc.power('on');
    await bmc.setBootDevice({ device: 'pxe', lasts: 'once', firmware: 'bios' });
    await bmc.users();

    for (let sent = 0; sent < (isLongRun ? 100_000 : 20_000); sent += 2) {
      const length = Math.floor(random() * 90);
      const noise = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
      const original = meddler.heard[Math.floor(random() * meddler.heard.length)] ?? noise;
      meddler.atBmc(random() < 0.3 ? noise : mutate(original, random));
      meddler.atClient(random() < 0.3 ? noise : mutate(original, random));
      if (sent % 200 === 0) await turn();
      if (sent % 4_000 === 0) await bmc.chassisStatus();
    }

    assert.equal((await bmc.chassisStatus()).isPowerOn, true);
    assert.deepEqual([lab.chassis.counts.on, lab.chassis.counts.off], [1, 0]);
    await fleet.close();
    await until(() => lab.sessionCount() === 0);
    meddler.close();
    await lab.close();
  });
});
