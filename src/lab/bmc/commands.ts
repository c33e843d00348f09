// The commands a lab BMC knows, each with the privilege it wants and what it does. What is not here is answered with
// "invalid command", as a BMC does.

import { bootFlags, bootParameter, getBootOptions, setBootOptions, setProgress } from '#wire/ipmi/commands/boot.ts';
import { chassisControl, getChassisStatus } from '#wire/ipmi/commands/chassis.ts';
import { coldReset, getDeviceId } from '#wire/ipmi/commands/device.ts';
import {
  closeSession,
  getChannelAuthenticationCapabilities,
  getChannelCipherSuites,
  privileges,
  setSessionPrivilege,
  suitePieceBytes,
} from '#wire/ipmi/commands/session.ts';
import { completion } from '#wire/ipmi/error.ts';
import { cipherSuites, encodeSuiteRecords } from '#wire/ipmi/suite.ts';
import { handle, Refusal, refuse } from './handler.ts';
import type { Handler, LabMachine, Reply } from './handler.ts';
import type { LabSession } from './sessions.ts';
import { sensorCommands } from './storage-commands.ts';
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
  handle(setSessionPrivilege, 'callback', (wanted, _machine, session) => {
    const active = session?.active;
    if (active === undefined) return new Refusal(completion.notInPresentState);
    if (wanted > active.mostPrivilege) return new Refusal(0x81);
    if (wanted !== 0) active.privilege = wanted;
    return active.privilege;
  }),
  handle(closeSession, 'callback', (id, machine, session) => {
    const closing = machine.sessions.withId(id);
    // Another's session can be closed by an administrator alone; that is not needed here.
    if (closing === undefined || closing !== session) return new Refusal(0x87);
    return null;
  }),
];

const deviceCommands = [
  handle(getDeviceId, 'user', () => ({
    deviceId: 0x20,
    deviceRevision: 1,
    firmware: '2.40',
    ipmiVersion: '2.0',
    supportsChassis: true,
    supportsFru: true,
    supportsSdr: true,
    // The number that IANA keeps for examples.
    manufacturerId: 32473,
    productId: 1,
  })),
  handle(coldReset, 'administrator', (_request, machine) => {
    machine.restart('answered');
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
    if (!machine.chassis.control(control)) return new Refusal(completion.notInPresentState);
    if (!machine.resetsOnControl()) return null;
    machine.restart('now');
    return 'none';
  }),
  handle(setBootOptions, 'operator', ({ parameter, data }, machine) => {
    const { boot, chassis } = machine;
    if (parameter === bootParameter.setInProgress) {
      const progress = (data[0] ?? 0) & 0x03;
      if (progress === setProgress.inProgress && boot.progress === setProgress.inProgress) {
        return new Refusal(completion.setInProgress);
      }
      boot.progress = progress === setProgress.inProgress ? progress : setProgress.complete;
      return null;
    }
    if (parameter === bootParameter.bootFlags) {
      const flags = bootFlags.decode(data);
      if (flags === undefined) return new Refusal(completion.invalidField);
      chassis.bootFlags = flags;
      return null;
    }
    if (parameter > 7) return new Refusal(completion.parameterUnsupported);
    boot.others.set(parameter, Buffer.from(data));
    return null;
  }),
  handle(getBootOptions, 'operator', ({ parameter }, machine) => {
    const { boot, chassis } = machine;
    if (parameter === bootParameter.setInProgress) return { parameter, data: Buffer.from([boot.progress]) };
    if (parameter === bootParameter.bootFlags) return { parameter, data: bootFlags.encode(chassis.bootFlags) };
    const data = boot.others.get(parameter);
    return data === undefined ? new Refusal(completion.parameterUnsupported) : { parameter, data };
  }),
];

const handlers = new Map<number, Handler>(
  [...sessionCommands, ...deviceCommands, ...chassisCommands, ...userCommands, ...sensorCommands, ...solCommands].map(
    (handler) => [(handler.netFn << 8) | handler.code, handler],
  ),
);

/** The answer to a request, in a session or, for the few commands that need none, outside. */
export function answerCommand(
  request: { netFn: number; code: number; data: Buffer },
  machine: LabMachine,
  session: LabSession | undefined,
): Reply {
  const handler = handlers.get((request.netFn << 8) | request.code);
  const granted = session?.active?.privilege ?? 0;
  if (handler === undefined) return refuse(granted > 0 ? completion.invalidCommand : completion.insufficientPrivilege);
  const needed = handler.needs === 'nothing' ? 0 : privileges[handler.needs];
  if (granted < needed) return refuse(completion.insufficientPrivilege);
  return handler.answer(request.data, machine, session);
}
