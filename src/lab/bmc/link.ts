// The network port of a lab BMC, with the malfunctions of its link.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { seededRandom, type LabBmcMalfunctions } from './malfunctions.ts';

export interface Sender {
  address: string;
  port: number;
}

export interface LabLink {
  address: string;
  port: number;
  send(datagram: Buffer, to: Sender): void;
  setMalfunctions(malfunctions: LabBmcMalfunctions): void;
  /** Neither receives nor sends for this long. */
  goOffline(absenceMs: number): void;
  close(): Promise<void>;
}

const receiveBufferBytes = 1024 * 1024;

export async function openLink(at: Sender, receive: (datagram: Buffer, from: Sender) => void): Promise<LabLink> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
  const timers = new Set<NodeJS.Timeout>();
  let malfunctions: LabBmcMalfunctions = {};
  let random = seededRandom(0);
  let offlineUntilMs = 0;
  let isClosed = false;

  const isOffline = (): boolean => isClosed || malfunctions.isSilent === true || performance.now() < offlineUntilMs;

  const schedule = (delayMs: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isOffline()) run();
    }, delayMs);
    timers.add(timer);
  };

  /** Delivers a datagram as the link would: once, twice, late or not at all. */
  const deliver = (run: () => void): void => {
    if (isOffline()) return;
    const { lossy } = malfunctions;
    if (lossy === undefined) {
      run();
      return;
    }
    if (random() < lossy.drop) return;
    const copies = random() < lossy.duplicate ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      if (random() < lossy.delay) schedule(random() * lossy.maxDelayMs, run);
      else run();
    }
  };

  socket.on('error', () => {});
  socket.on('message', (datagram, from) => deliver(() => receive(datagram, from)));
  socket.bind(at.port, at.address);
  await once(socket, 'listening');
  const bound = socket.address();

  return {
    address: bound.address,
    port: bound.port,
    send: (datagram, to) => {
      const transmit = (): void => deliver(() => socket.send(datagram, to.port, to.address, () => {}));
      if (malfunctions.responseDelayMs === undefined) transmit();
      else schedule(malfunctions.responseDelayMs, transmit);
    },
    setMalfunctions: (next) => {
      malfunctions = next;
      random = seededRandom(next.lossy?.seed ?? 0);
    },
    goOffline: (absenceMs) => {
      offlineUntilMs = performance.now() + absenceMs;
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
