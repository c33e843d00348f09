// A lab BMC: a server's management controller as a simulator that speaks IPMI 2.0 on a loopback port, well enough
// for ipmitool and ipmipower, with a chassis that keeps count of what was done to it and faults on demand.

import { randomBytes } from 'node:crypto';
import { asfType, presencePong } from '#wire/ipmi/asf.ts';
import { setProgress } from '#wire/ipmi/commands/boot.ts';
import { closeSession } from '#wire/ipmi/commands/session.ts';
import { completion } from '#wire/ipmi/error.ts';
import { encodeFru } from '#wire/ipmi/fru.ts';
import { secretKey } from '#wire/ipmi/keys.ts';
import { decodeRequest, encodeResponse } from '#wire/ipmi/message.ts';
import { decodePacket, encodeAsf, encodeSessionless, payloadType } from '#wire/ipmi/packet.ts';
import { encodeSensorRecord } from '#wire/ipmi/sensor-record.ts';
import type { Chassis } from './chassis.ts';
import { answerCommand } from './commands.ts';
import type { LabBmcFaults } from './faults.ts';
import { refuse } from './handler.ts';
import type { LabMachine } from './handler.ts';
import { labInventory, labSensors } from './inventory.ts';
import { openLink } from './link.ts';
import type { Sender } from './link.ts';
import type { SerialConsole } from './serial.ts';
import { makeLabServer } from './server.ts';
import type { LabServer, LabServerOptions, LabServerState, LabServerTiming } from './server.ts';
import { SessionTable } from './sessions.ts';
import type { LabSession } from './sessions.ts';
import { SolServer } from './sol-server.ts';
import { factoryUsers, LabUsers } from './users.ts';
import type { LabUser } from './users.ts';

/** What outlives a restart of the lab. It is plain data. */
export interface LabBmcState extends LabServerState {
  users: readonly LabUser[];
}

export interface LabBmcOptions extends LabServerOptions {
  address?: string;
  /** 0, or nothing, lets the system choose. */
  port?: number;
  admin: { username: string; password: string };
  kg?: Buffer;
  serialNumber?: string;
  state?: { load(): LabBmcState | undefined; save(state: LabBmcState): void };
  timing?: Partial<LabBmcTiming>;
  mostSessions?: number;
}

export interface LabBmcTiming extends LabServerTiming {
  /** How long a cold reset takes the BMC off the network. */
  absenceMs: number;
  sessionIdleMs: number;
}

export interface LabBmc extends AsyncDisposable {
  address: string;
  port: number;
  /** What stands behind it. */
  server: LabServer;
  chassis: Chassis;
  serial: SerialConsole;
  sessionCount(): number;
  /** Whether somebody has its serial console now. */
  hasConsole(): boolean;
  setFaults(faults: LabBmcFaults): void;
  close(): Promise<void>;
}

const defaultTiming: LabBmcTiming = {
  bootMs: 2_000,
  cycleOffMs: 1_000,
  softOffMs: 2_000,
  absenceMs: 3_000,
  sessionIdleMs: 60_000,
};

const sweepMs = 5_000;
/** Long enough for the answer to a cold reset to leave. */
const lastWordsMs = 50;

export async function startLabBmc(options: LabBmcOptions): Promise<LabBmc> {
  const timing = { ...defaultTiming, ...options.timing };
  const stored = options.state?.load();
  let faults: LabBmcFaults = {};
  let restarting: NodeJS.Timeout | undefined;

  const save = (): void =>
    options.state?.save({
      ...server.state(),
      users: structuredClone(users.all),
    });

  const server = makeLabServer(options, timing, stored, save);
  const { chassis, serial } = server;
  const users = new LabUsers(stored?.users ?? factoryUsers(options.admin), save);
  const sessions = new SessionTable({
    users,
    guid: randomBytes(16),
    kg: options.kg && secretKey(options.kg),
    mostSessions: options.mostSessions ?? 36,
    idleMs: timing.sessionIdleMs,
    send: (datagram, to) => link.send(datagram, to),
    refuses: () => faults.refusesSessions === true,
    onEnd: (session) => sol.sessionEnded(session),
  });
  const sol = new SolServer(serial, sessions);

  const leave = (): void => {
    link.leave(timing.absenceMs);
    sessions.endAll();
    machine.boot.progress = setProgress.complete;
  };

  const machine: LabMachine = {
    chassis,
    users,
    sessions,
    sol,
    fru: encodeFru(labInventory(options.serialNumber ?? 'LAB0001')),
    records: labSensors.map(({ record }) => encodeSensorRecord(record)),
    isKgSet: options.kg !== undefined,
    boot: { progress: setProgress.complete, others: new Map() },
    udpPort: () => link.port,
    reportedPower: () => faults.reportsPower ?? chassis.power,
    restart: (when) => {
      clearTimeout(restarting);
      if (when === 'now') leave();
      else restarting = setTimeout(leave, lastWordsMs);
    },
    resetsOnControl: () => {
      const resets = faults.resetsOnControl === true;
      if (resets) faults = { ...faults, resetsOnControl: false };
      return resets;
    },
  };

  const answer = (payload: Buffer, session: LabSession | undefined, send: (response: Buffer) => void): void => {
    const request = decodeRequest(payload);
    const isLacking = faults.lacks?.some(({ netFn, code }) => netFn === request?.netFn && code === request.code);
    const reply = isLacking ? refuse(completion.invalidCommand) : request && answerCommand(request, machine, session);
    if (request === undefined || reply === undefined || reply === 'none') return;
    send(encodeResponse({ ...request, ...reply, netFn: request.netFn + 1 }));
    const isClosing = request.netFn === closeSession.netFn && request.code === closeSession.code;
    if (isClosing && reply.completionCode === 0 && session !== undefined) sessions.end(session);
  };

  const receive = (datagram: Buffer, from: Sender): void => {
    const packet = decodePacket(datagram);
    if (packet === undefined) return;
    if (packet.format === 'asf') {
      if (packet.type !== asfType.presencePing) return;
      const data = presencePong.encode({ enterprise: 4542, supportsIpmi: true });
      link.send(encodeAsf({ type: asfType.presencePong, tag: packet.tag, data }), from);
    } else if (packet.format === 'sessionless') {
      answer(packet.payload, undefined, (response) => link.send(encodeSessionless(response), from));
    } else if (!packet.isProtected) {
      sessions.shake(packet, from);
    } else {
      const received = sessions.receive(packet, from);
      if (received === undefined) return;
      const { session, payload } = received;
      if (packet.payloadType === payloadType.sol) sol.receive(session, payload);
      if (packet.payloadType === payloadType.ipmi) {
        answer(payload, session, (response) => sessions.send(session, payloadType.ipmi, response));
      }
    }
  };

  const link = await openLink({ address: options.address ?? '127.0.0.1', port: options.port ?? 0 }, receive);
  const sweeping = setInterval(() => sessions.sweep(), sweepMs).unref();
  chassis.resume();

  const close = async (): Promise<void> => {
    clearInterval(sweeping);
    clearTimeout(restarting);
    sessions.endAll();
    server.close();
    await link.close();
  };

  return {
    address: link.address,
    port: link.port,
    server,
    chassis,
    serial,
    sessionCount: () => sessions.count,
    hasConsole: () => sol.isActive,
    setFaults: (next) => {
      faults = next;
      chassis.heedsPowerButton = next.ignoresSoftShutdown !== true;
      link.setFaults(next);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
