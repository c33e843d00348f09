// Translates libvirt's errors to API errors, and finds machines by name.
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import type { LibvirtClient } from '#protocols/libvirt/client.ts';
import { errorCode, LibvirtError } from '#protocols/libvirt/error.ts';
import {
  domainDefineXml,
  domainGetXmlDesc,
  domainLookupByName,
  domainUpdateDeviceFlags,
  type Domain,
  type Procedure,
} from '#protocols/libvirt/procedures.ts';
import { sameNames, type MachineNames } from '../adoption.ts';
import { parseXml, writeXml, type Element } from './xml.ts';

export interface Session {
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  /** By its name in Hostyard. */
  find(name: string, signal: AbortSignal): Promise<Domain | undefined>;
  /** By its name in libvirt. */
  findByName(name: string, signal: AbortSignal): Promise<Domain | undefined>;
  /** Resolves with a function that returns the name of a domain in Hostyard. */
  machineNames(): Promise<(dom: Domain) => string>;
  /** Rejects with `not_found` if there is no such machine. */
  domain(name: string, signal: AbortSignal): Promise<Domain>;
  /** Rejects with `state_conflict` if the machine is off; `purpose` completes "Power it on to …". */
  runningDomain(name: string, purpose: string, signal: AbortSignal): Promise<Domain>;
  /** Returns the running configuration, or the persistent one, which applies from the next start. */
  describe(dom: Domain, config: 'running' | 'persistent', signal: AbortSignal): Promise<Element>;
  /** Replaces the persistent configuration as a whole. */
  define(description: Element, signal: AbortSignal): Promise<void>;
  /**
   * Changes a device in the running and in the persistent configuration. `edit` returns it as it should be, or undefined if
   * it already is.
   */
  updateDevice: UpdateDevice;
  /** The same for a CD drive, which the machine's system may be reading. */
  updateDrive: UpdateDevice;
}

type UpdateDevice = (
  dom: Domain,
  edit: (description: Element) => Element | undefined,
  signal: AbortSignal,
) => Promise<void>;

/** Includes the VNC password, which libvirt omits by default: a description written back without it would remove it. */
const xmlFlags = { running: 1, persistent: 1 | 2 } as const;
/** The first forces the guest's drive open. */
const updateFlags = { running: 1 | 4, persistent: 2 } as const;
const driveAttempts = 20;
const drivePauseMs = 500;

export function openSession(client: LibvirtClient, names: MachineNames = sameNames): Session {
  const call: Session['call'] = (procedure, args, signal) => translateErrors(client.call(procedure, args, signal));
  const findByName: Session['findByName'] = async (name, signal) =>
    (await undefinedOnError(errorCode.noDomain, call(domainLookupByName, { name }, signal)))?.dom;
  const find: Session['find'] = async (name, signal) => findByName(await names.onHypervisor(name), signal);
  const domain: Session['domain'] = async (name, signal) => requireFound(await find(name, signal));
  const describe: Session['describe'] = async (dom, config, signal) =>
    parseXml((await call(domainGetXmlDesc, { dom, flags: xmlFlags[config] }, signal)).xml);
  const updateDevice: UpdateDevice = async (dom, edit, signal) => {
    for (const config of isOn(dom) ? (['running', 'persistent'] as const) : (['persistent'] as const)) {
      const device = edit(await describe(dom, config, signal));
      if (device === undefined) continue;
      await call(domainUpdateDeviceFlags, { dom, xml: writeXml(device), flags: updateFlags[config] }, signal);
    }
  };
  return {
    call,
    openStream: (procedure, args, signal) => translateErrors(client.openStream(procedure, args, signal)),
    findByName,
    find,
    async machineNames() {
      const adopted = await names.adopted();
      return (dom) => adopted.get(dom.name) ?? dom.name;
    },
    domain,
    async runningDomain(name, purpose, signal) {
      const dom = await domain(name, signal);
      if (!isOn(dom)) throw conflict(`The machine is off. Power it on to ${purpose}.`);
      return dom;
    },
    describe,
    define: async (description, signal) => void (await call(domainDefineXml, { xml: writeXml(description) }, signal)),
    updateDevice,
    async updateDrive(dom, edit, signal) {
      // libvirt opens the tray and then changes the medium. A system that reads the drive in between closes the tray, and
      // QEMU rejects the change: firmware that looks for something to boot reads it for seconds.
      const update = () => updateDevice(dom, edit, signal).then(() => true);
      for (let attempt = 1; attempt < driveAttempts; attempt++) {
        if (await undefinedOnError(errorCode.internalError, update())) return;
        await pause(drivePauseMs);
      }
      await update();
    },
  };
}

export function isOn(dom: Domain): boolean {
  return dom.id !== -1;
}

/** Returns undefined if libvirt rejected the call with this code. */
export async function undefinedOnError<T>(code: number, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof ApiError ? error.cause : error;
    if (cause instanceof LibvirtError && cause.kind === 'rejected' && cause.code === code) return undefined;
    throw error;
  }
}

async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toApiError(error);
  }
}

/** Translates an error of a stream, which is opened long before it fails. */
export function transferError(cause: unknown, signal: AbortSignal): ApiError {
  const known = toApiError(cause);
  if (known instanceof ApiError) return known;
  const internal = cause instanceof Error ? cause.message : 'the transfer was interrupted';
  return new ApiError(signal.aborted ? 'node_unreachable' : 'node_error', { cause, internal });
}

function toApiError(error: unknown): unknown {
  if (!(error instanceof LibvirtError)) return error;
  const detail = { cause: error, internal: error.message };
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return new ApiError('node_unreachable', detail);
    case 'busy':
      return new ApiError('device_busy', { ...detail, message: 'The hypervisor is busy. Try again in a minute.' });
    case 'rejected':
      if (error.code === errorCode.noDomain) return new ApiError('not_found', detail);
      if (error.code === errorCode.agentUnresponsive) return agentUnresponsive(error);
      return new ApiError('node_error', detail);
    case 'auth':
    case 'badResponse':
      return new ApiError('node_error', detail);
  }
}

/** Not an error of the hypervisor: customers decide what their guests answer. */
export function agentUnresponsive(cause: Error): ApiError {
  const message =
    'The machine’s guest agent does not respond. Make sure that the machine has booted and the agent is running.';
  return new ApiError('state_conflict', { message, cause, internal: cause.message });
}
