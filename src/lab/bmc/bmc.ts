// A lab BMC: a simulator that speaks IPMI 2.0 on a loopback port, well enough for ipmitool and ipmipower. Its chassis
// counts every control, and malfunctions can be injected.

import { randomBytes } from 'node:crypto';
import { asfType, presencePong } from '#protocols/ipmi/asf.ts';
import { setProgress } from '#protocols/ipmi/commands/boot.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { encodeFru } from '#protocols/ipmi/fru.ts';
import { secretKey } from '#protocols/ipmi/keys.ts';
import { decodeRequest, encodeResponse } from '#protocols/ipmi/message.ts';
import { decodePacket, encodeAsf, encodeSessionless, payloadType } from '#protocols/ipmi/packet.ts';
import type { Chassis } from './chassis.ts';
import { runCommand } from './commands.ts';
import type { LabBmcMalfunctions } from './malfunctions.ts';
import { errorReply, type LabMachine } from './handler.ts';
import { labInventory, labSensorRecords } from './inventory.ts';
import { openLink, type Sender } from './link.ts';
import type { SerialConsole } from './serial.ts';
import {
  createLabServer,
  type LabServer,
  type LabServerOptions,
  type LabServerState,
  type LabServerTiming,
} from './server.ts';
import { SessionTable, type LabSession } from './sessions.ts';
import { SolServer } from './sol-server.ts';
import { factoryUsers, LabUsers, type LabUser } from './users.ts';

/** Plain data that survives a restart of the lab. */
export interface LabBmcState extends LabServerState {
  users: readonly LabUser[];
}

export interface LabBmcOptions extends LabServerOptions {
  address?: string;
  /** Chosen by the operating system if 0 or undefined. */
  port?: number;
  admin: { username: string; password: string };
  kg?: Buffer;
  serialNumber?: string;
  state?: { load(): LabBmcState | undefined; save(state: LabBmcState): void };
  timing?: Partial<LabBmcTiming>;
  maxSessions?: number;
}

export interface LabBmcTiming extends LabServerTiming {
  /** How long a cold reset takes the BMC off the network. */
  absenceMs: number;
  sessionIdleMs: number;
}

/** The provider's login to the BMC of a server. */
export interface LabBmcAccess {
  readonly server: string;
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export interface LabBmc extends AsyncDisposable {
  address: string;
  port: number;
  server: LabServer;
  chassis: Chassis;
  serial: SerialConsole;
  users(): readonly LabUser[];
  sessionCount(): number;
  hasConsole(): boolean;
  setMalfunctions(malfunctions: LabBmcMalfunctions): void;
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
/** Long enough for the response to a cold reset to be sent. */
const flushMs = 50;

export async function startLabBmc(options: LabBmcOptions): Promise<LabBmc> {
  const timing = { ...defaultTiming, ...options.timing };
  const stored = options.state?.load();
  let malfunctions: LabBmcMalfunctions = {};
  let restartTimer: NodeJS.Timeout | undefined;

  const save = (): void =>
    options.state?.save({
      ...server.state(),
      users: structuredClone(users.all),
    });

  const server = createLabServer(options, timing, stored, save);
  const { chassis, serial } = server;
  const users = new LabUsers(stored?.users ?? factoryUsers(options.admin), save);
  const sessions = new SessionTable({
    users,
    guid: randomBytes(16),
    kg: options.kg && secretKey(options.kg),
    maxSessions: options.maxSessions ?? 36,
    idleMs: timing.sessionIdleMs,
    send: (datagram, to) => link.send(datagram, to),
    rejectsSessions: () => malfunctions.rejectsSessions === true,
    hashesOpenPrivilege: () => malfunctions.hashesOpenPrivilege === true,
    onEnd: (session) => sol.sessionEnded(session),
  });
  const sol = new SolServer(serial, sessions);

  const goOffline = (): void => {
    link.goOffline(timing.absenceMs);
    sessions.endAll();
    machine.boot.progress = setProgress.complete;
  };

  const machine: LabMachine = {
    chassis,
    hardware: server.hardware,
    users,
    sessions,
    sol,
    fru: encodeFru(labInventory(options.serialNumber ?? 'LAB0001')),
    records: labSensorRecords(),
    isKgSet: options.kg !== undefined,
    sdr: { reservation: 0 },
    boot: { progress: setProgress.complete, others: new Map() },
    udpPort: () => link.port,
    reportedPower: () => malfunctions.reportsPower ?? chassis.power,
    firmware: () => malfunctions.firmware ?? '2.40',
    sensorMalfunctions: () => malfunctions.sensors ?? {},
    solBytes: () => malfunctions.solBytes,
    restart: (when) => {
      clearTimeout(restartTimer);
      if (when === 'now') goOffline();
      else restartTimer = setTimeout(goOffline, flushMs);
    },
    resetsOnControl: () => {
      const resets = malfunctions.resetsOnControl === true;
      if (resets) malfunctions = { ...malfunctions, resetsOnControl: false };
      return resets;
    },
  };

  const respond = (payload: Buffer, session: LabSession | undefined, send: (response: Buffer) => void): void => {
    const request = decodeRequest(payload);
    const isAmong = (commands: readonly { netFn: number; code: number }[] = []): boolean =>
      commands.some(({ netFn, code }) => netFn === request?.netFn && code === request.code);
    const reply = isAmong(malfunctions.unsupportedCommands)
      ? errorReply(completion.invalidCommand)
      : isAmong(malfunctions.rejectedCommands)
        ? errorReply(completion.parameterOutOfRange)
        : request && runCommand(request, machine, session);
    if (request === undefined || reply === undefined || reply === 'none') return;
    const response = encodeResponse({ ...request, ...reply, netFn: request.netFn + 1 });
    if (malfunctions.sendsWrongChecksums === true && session !== undefined) response[response.length - 1]! ^= 1;
    send(response);
    if (session?.isClosing) sessions.end(session);
  };

  const receive = (datagram: Buffer, from: Sender): void => {
    const packet = decodePacket(datagram);
    if (packet === undefined) return;
    if (packet.format === 'asf') {
      if (packet.type !== asfType.presencePing) return;
      const data = presencePong.encode({ enterprise: 4542, supportsIpmi: true });
      link.send(encodeAsf({ type: asfType.presencePong, tag: packet.tag, data }), from);
    } else if (packet.format === 'sessionless') {
      if (malfunctions.hidesSuites === true) return;
      respond(packet.payload, undefined, (response) => link.send(encodeSessionless(response), from));
    } else if (!packet.isProtected) {
      sessions.handshake(packet, from);
    } else {
      const received = sessions.receive(packet, from);
      if (received === undefined) return;
      const { session, payload } = received;
      if (packet.payloadType === payloadType.sol) sol.receive(session, payload);
      if (packet.payloadType === payloadType.ipmi) {
        respond(payload, session, (response) => sessions.send(session, payloadType.ipmi, response));
      }
    }
  };

  const link = await openLink({ address: options.address ?? '127.0.0.1', port: options.port ?? 0 }, receive);
  const sweepTimer = setInterval(() => sessions.sweep(), sweepMs).unref();
  server.resume();

  const close = async (): Promise<void> => {
    clearInterval(sweepTimer);
    clearTimeout(restartTimer);
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
    users: () => users.all,
    sessionCount: () => sessions.count,
    hasConsole: () => sol.isActive,
    setMalfunctions: (next) => {
      malfunctions = next;
      chassis.heedsPowerButton = next.ignoresSoftShutdown !== true;
      server.disks.malfunctions = next;
      users.ignoresChanges = next.ignoresUserChanges === true;
      link.setMalfunctions(next);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
