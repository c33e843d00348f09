// The BMC's network port, with whatever fault its link has.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { seededRandom } from './faults.ts';
import type { LabBmcFaults } from './faults.ts';

export interface Sender {
  address: string;
  port: number;
}

export interface LabLink {
  address: string;
  port: number;
  send(datagram: Buffer, to: Sender): void;
  setFaults(faults: LabBmcFaults): void;
  /** Deaf and mute for as long. */
  leave(absenceMs: number): void;
  close(): Promise<void>;
}

const receiveBufferBytes = 1024 * 1024;

export async function openLink(at: Sender, receive: (datagram: Buffer, from: Sender) => void): Promise<LabLink> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
  const timers = new Set<NodeJS.Timeout>();
  let faults: LabBmcFaults = {};
  let random = seededRandom(0);
  let awayUntilMs = 0;
  let isClosed = false;

  const isAway = (): boolean => isClosed || faults.isSilent === true || performance.now() < awayUntilMs;

  const later = (delayMs: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isAway()) run();
    }, delayMs);
    timers.add(timer);
  };

  /** Passes a datagram on as the link would: once, never, twice, or late. */
  const carry = (run: () => void): void => {
    if (isAway()) return;
    const { lossy } = faults;
    if (lossy === undefined) {
      run();
      return;
    }
    if (random() < lossy.drop) return;
    const copies = random() < lossy.duplicate ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      if (random() < lossy.delay) later(random() * lossy.mostDelayMs, run);
      else run();
    }
  };

  socket.on('error', () => {});
  socket.on('message', (datagram, from) => carry(() => receive(datagram, from)));
  socket.bind(at.port, at.address);
  await once(socket, 'listening');
  const bound = socket.address();

  return {
    address: bound.address,
    port: bound.port,
    send: (datagram, to) => {
      const transmit = (): void => carry(() => socket.send(datagram, to.port, to.address, () => {}));
      if (faults.answersAfterMs === undefined) transmit();
      else later(faults.answersAfterMs, transmit);
    },
    setFaults: (next) => {
      faults = next;
      random = seededRandom(next.lossy?.seed ?? 0);
    },
    leave: (absenceMs) => {
      awayUntilMs = performance.now() + absenceMs;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
