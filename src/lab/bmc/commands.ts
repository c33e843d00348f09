// The commands of a lab BMC with the privilege each requires. Any other command gets "invalid command", as from a real
// BMC.

import {
  bootFlags,
  bootParameter,
  getBootOptions,
  setBootOptions,
  setProgress,
} from '#protocols/ipmi/commands/boot.ts';
import { chassisControl, getChassisStatus } from '#protocols/ipmi/commands/chassis.ts';
import { coldReset, getDeviceId } from '#protocols/ipmi/commands/device.ts';
import {
  closeSession,
  getChannelAuthenticationCapabilities,
  getChannelCipherSuites,
  getSessionInfo,
  privileges,
  setSessionPrivilege,
  suitePieceBytes,
} from '#protocols/ipmi/commands/session.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { cipherSuites, encodeSuiteRecords } from '#protocols/ipmi/suite.ts';
import { handle, CommandError, errorReply, type Handler, type LabMachine, type Reply } from './handler.ts';
import type { LabSession } from './sessions.ts';
import { storageCommands } from './storage-commands.ts';
import { solCommands } from './sol-commands.ts';
import { userCommands } from './user-commands.ts';

const lanChannel = 1;

const sessionCommands = [
  handle(getChannelAuthenticationCapabilities, 'nothing', (_request, machine) => ({
    channel: lanChannel,
    supportsRmcpPlus: true,
    isKgSet: machine.isKgSet,
  })),
  handle(getChannelCipherSuites, 'nothing', ({ piece }) => {
    const records = encodeSuiteRecords(cipherSuites);
    const start = piece * suitePieceBytes;
    return { channel: lanChannel, records: records.subarray(start, start + suitePieceBytes) };
  }),
  handle(setSessionPrivilege, 'callback', (privilege, _machine, session) => {
    const active = session?.active;
    if (active === undefined) return new CommandError(completion.notInPresentState);
    if (privilege > active.maxPrivilege) return new CommandError(0x81);
    if (privilege !== 0) active.privilege = privilege;
    return active.privilege;
  }),
  handle(closeSession, 'callback', (request, { sessions }, session) => {
    const closing = 'id' in request ? sessions.withId(request.id) : sessions.withHandle(request.handle);
    if (closing === undefined) return new CommandError('id' in request ? 0x87 : 0x88);
    if (closing === session) session.isClosing = true;
    else if (session?.active?.privilege !== privileges.administrator)
      return new CommandError(completion.insufficientPrivilege);
    else sessions.end(closing);
    return null;
  }),
  handle(getSessionInfo, 'user', (number, { sessions, users }, current) => {
    const { active } = sessions;
    const session = number === 0 ? current : active[number - 1];
    const counts = { maxSessions: sessions.maxSessions, activeSessions: active.length };
    if (session?.active === undefined || session.user === undefined)
      return { ...counts, handle: 0, login: Buffer.alloc(0) };
    const login = Buffer.from([users.idOf(session.user), session.active.privilege, lanChannel]);
    return { ...counts, handle: session.handle, login };
  }),
];

const deviceCommands = [
  handle(getDeviceId, 'user', (_request, machine) => ({
    deviceId: 0x20,
    deviceRevision: 1,
    firmware: machine.firmware(),
    ipmiVersion: '2.0',
    supportsChassis: true,
    supportsFru: true,
    supportsSdr: true,
    // IANA's enterprise number for examples.
    manufacturerId: 32473,
    productId: 1,
    auxiliary: Buffer.from([0, 0, 0, 1]),
  })),
  handle(coldReset, 'administrator', (_request, machine) => {
    machine.restart('afterResponse');
    return null;
  }),
];

const chassisCommands = [
  handle(getChassisStatus, 'user', (_request, machine) => ({
    isPowerOn: machine.reportedPower() === 'on',
    restorePolicy: 'asBefore' as const,
    hasPowerFault: false,
    hasPowerOverload: false,
    wasLastPowerOnByCommand: machine.chassis.counts.on > 0,
    isIntrusionActive: false,
    hasDriveFault: false,
    hasCoolingFault: false,
  })),
  handle(chassisControl, 'operator', (control, machine) => {
    if (!machine.chassis.control(control)) return new CommandError(completion.notInPresentState);
    if (!machine.resetsOnControl()) return null;
    machine.restart('now');
    return 'none';
  }),
  handle(setBootOptions, 'operator', ({ parameter, data }, machine) => {
    const { boot, chassis } = machine;
    if (parameter === bootParameter.setInProgress) {
      const progress = (data[0] ?? 0) & 0x03;
      if (progress === setProgress.inProgress && boot.progress === setProgress.inProgress) {
        return new CommandError(completion.setInProgress);
      }
      boot.progress = progress === setProgress.inProgress ? progress : setProgress.complete;
      return null;
    }
    if (parameter === bootParameter.bootFlags) {
      const flags = bootFlags.decode(data);
      if (flags === undefined) return new CommandError(completion.invalidField);
      chassis.bootFlags = flags;
      return null;
    }
    if (parameter > 7) return new CommandError(completion.parameterUnsupported);
    boot.others.set(parameter, Buffer.from(data));
    return null;
  }),
  handle(getBootOptions, 'operator', ({ parameter }, machine) => {
    const { boot, chassis } = machine;
    if (parameter === bootParameter.setInProgress) return { parameter, data: Buffer.from([boot.progress]) };
    if (parameter === bootParameter.bootFlags) return { parameter, data: bootFlags.encode(chassis.bootFlags) };
    const data = boot.others.get(parameter);
    return data === undefined ? new CommandError(completion.parameterUnsupported) : { parameter, data };
  }),
];

const handlers = new Map<number, Handler>(
  [...sessionCommands, ...deviceCommands, ...chassisCommands, ...userCommands, ...storageCommands, ...solCommands].map(
    (handler) => [(handler.netFn << 8) | handler.code, handler],
  ),
);

/** Runs a command in a session, or outside one for the few commands that need none. */
export function runCommand(
  request: { netFn: number; code: number; data: Buffer },
  machine: LabMachine,
  session: LabSession | undefined,
): Reply {
  const handler = handlers.get((request.netFn << 8) | request.code);
  const granted = session?.active?.privilege ?? 0;
  if (handler === undefined)
    return errorReply(granted > 0 ? completion.invalidCommand : completion.insufficientPrivilege);
  const needed = handler.requiredPrivilege === 'nothing' ? 0 : privileges[handler.requiredPrivilege];
  if (granted < needed) return errorReply(completion.insufficientPrivilege);
  return handler.run(request.data, machine, session);
}
