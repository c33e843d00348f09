// A lab Redfish service: a BMC simulator that speaks Redfish over HTTPS on a loopback port, following DMTF's schema. It
// controls the same kind of server as the IPMI simulator, and malfunctions can be injected.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSignedCertificate, type Certificate } from '#lib/certificate.ts';
import type { Chassis } from '../bmc/chassis.ts';
import type { LabHardware } from '../bmc/hardware.ts';
import type { BootEnd, LabBoot, SerialConsole } from '../bmc/serial.ts';
import {
  createLabServer,
  type LabServer,
  type LabServerOptions,
  type LabServerState,
  type LabServerTiming,
} from '../bmc/server.ts';
import type { LabUser } from '../bmc/users.ts';
import { factoryAccounts, LabAccounts, type LabAccount } from './accounts.ts';
import { accountOf, handleRequest } from './handle-request.ts';
import { LabDrive } from './drive.ts';
import { startLabKvm, type LabKvm } from './kvm.ts';
import type { LabRedfishMalfunctions } from './malfunctions.ts';
import type { FirmwareMode, Generation, MediaLayout, RedfishMachine } from './machine.ts';
import type { Personality } from './personalities.ts';
import { errorResponse, type Body, type RedfishResponse } from './response.ts';
import { root } from './resource.ts';
import { LabRedfishSessions } from './sessions.ts';
import { LabTasks } from './tasks.ts';
import { createLabWebPage } from './web-page.ts';

/** Plain data that survives a restart of the lab. */
export interface LabRedfishState extends LabServerState {
  firmwareMode: FirmwareMode;
  accounts: readonly LabAccount[];
  image: string | undefined;
}

export interface LabRedfishTiming extends LabServerTiming {
  /** How long a reset takes the BMC off the network. */
  absenceMs: number;
  sessionIdleMs: number;
}

export interface LabRedfishOptions extends LabServerOptions {
  /** Chosen by the operating system if 0 or undefined. */
  port?: number;
  admin: { username: string; password: string };
  certificate?: Certificate;
  serialNumber?: string;
  uuid?: string;
  macs?: readonly string[];
  /** A server shared with another BMC simulator. By default it has its own. */
  server?: LabServer;
  /** Users of an IPMI simulator of the same BMC, who can sign in here too. */
  ipmiUsers?: () => readonly LabUser[];
  /** Of the remote screen; chosen by the operating system if 0 or undefined. */
  kvmPort?: number;
  layout?: MediaLayout;
  generation?: Generation;
  /** The habits of a maker; by default none. */
  personality?: Personality;
  state?: { load(): LabRedfishState | undefined; save(state: LabRedfishState): void };
  timing?: Partial<LabRedfishTiming>;
}

export interface LabRedfish extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly fingerprint: string;
  readonly chassis: Chassis;
  readonly serial: SerialConsole;
  readonly hardware: LabHardware;
  readonly drive: LabDrive;
  readonly kvm: LabKvm;
  /** Boots the inserted image, if the boot device is the CD drive and it has one. */
  discBoot(boot: LabBoot): Promise<BootEnd> | undefined;
  readonly accounts: LabAccounts;
  readonly sessions: LabRedfishSessions;
  firmwareMode(): FirmwareMode;
  /** Returns how many requests have been responded to. */
  requestCount(): number;
  setMalfunctions(malfunctions: LabRedfishMalfunctions): void;
  close(): Promise<void>;
}

const address = '127.0.0.1';
const defaultTiming: LabRedfishTiming = {
  bootMs: 2000,
  cycleOffMs: 1000,
  softOffMs: 2000,
  absenceMs: 3000,
  sessionIdleMs: 60_000,
};
const maxSessions = 16;
const maxBodyBytes = 64 * 1024;
/** Long enough for the response to a reset to be sent. */
const flushMs = 50;

export function labCertificate(): Certificate {
  return selfSignedCertificate({ name: 'Lab BMC', hosts: [address], notBefore: new Date(0), days: 36_500 });
}

export async function startLabRedfish(options: LabRedfishOptions): Promise<LabRedfish> {
  const timing = { ...defaultTiming, ...options.timing };
  const { key, certificate, fingerprint } = options.certificate ?? labCertificate();
  const stored = options.state?.load();
  let malfunctions: LabRedfishMalfunctions = {};
  let isOffline = false;
  let requestCount = 0;
  let restartTimer: NodeJS.Timeout | undefined;
  const save = (): void =>
    options.state?.save({
      ...server.state(),
      firmwareMode: machine.firmwareMode,
      accounts: structuredClone(machine.accounts.all),
      image: drive.image,
    });
  const drive = new LabDrive(stored?.image, save);
  const discBoot = (boot: LabBoot): Promise<BootEnd> | undefined =>
    boot.device === 'cdrom' && drive.image !== undefined ? bootDisc(drive, boot) : undefined;
  const onBoot = (boot: LabBoot): Promise<BootEnd> | undefined => discBoot(boot) ?? options.onBoot?.(boot);
  const server = options.server ?? createLabServer({ ...options, onBoot }, timing, stored, save);
  const { reservedSlots = 0 } = options.personality ?? {};
  const style = options.generation === 'early' || reservedSlots > 0 ? 'slots' : 'collection';
  const factory = factoryAccounts(options.admin, reservedSlots);
  const machine: RedfishMachine = {
    server,
    drive,
    accounts: new LabAccounts(style, stored?.accounts ?? factory, save, options.ipmiUsers),
    sessions: new LabRedfishSessions(timing.sessionIdleMs, maxSessions),
    tasks: new LabTasks(),
    layout: options.layout ?? 'managers',
    generation: options.generation ?? 'current',
    personality: options.personality ?? { vendor: 'Hostyard Lab' },
    serialNumber: options.serialNumber ?? 'LAB0001',
    uuid: options.uuid ?? randomUUID(),
    macs: options.macs ?? ['52:54:00:00:00:01', '52:54:00:00:00:02'],
    firmwareMode: stored?.firmwareMode ?? 'UEFI',
    lastReset: { atMs: Number.NEGATIVE_INFINITY, powerBefore: 'off' },
    malfunctions: () => malfunctions,
    restart: () => void (restartTimer = setTimeout(goOffline, flushMs)),
  };

  const https = createServer({ key, cert: certificate }, (request, response) => void serve(request, response));
  https.on('upgrade', (request, stream, head) => page.upgrade(request, stream, head, accountOf(machine, request)));
  https.on('connection', (socket) => {
    if (isOffline) socket.destroy();
  });

  /** A restart loses the sessions and the inserted image. */
  function goOffline(): void {
    isOffline = true;
    machine.sessions.endAll();
    drive.eject();
    https.closeAllConnections();
    restartTimer = setTimeout(() => (isOffline = false), timing.absenceMs);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (malfunctions.isSilent !== true && request.url?.startsWith(root) !== true)
      return page.serve(request, response, accountOf(machine, request));
    const body = await bodyOf(request);
    if (malfunctions.isSilent !== true) response.on('finish', () => requestCount++);
    if (malfunctions.isSilent === true) return;
    if (malfunctions.responseDelayMs !== undefined) await sleep(malfunctions.responseDelayMs);
    if (malfunctions.isBusy === true)
      return send(response, errorResponse(503, 'ServiceTemporarilyUnavailable', 'Try again.'));
    if (body === undefined)
      return send(response, errorResponse(400, 'MalformedJSON', 'The body is not a JSON object.'));
    const outcome = await handleRequest(machine, request, body);
    if (malfunctions.breaksOnReset === true && request.url?.endsWith('ComputerSystem.Reset') === true) {
      malfunctions = { ...malfunctions, breaksOnReset: false };
      response.destroy();
      return undefined;
    }
    return send(response, outcome);
  }

  const { accounts, sessions } = machine;
  const kvm = await startLabKvm(server, {
    accounts,
    sessions,
    name: options.hostname ?? 'lab',
    address,
    port: options.kvmPort ?? 0,
  });
  const page = createLabWebPage({ kvm, accounts, sessions });
  https.listen(options.port ?? 0, address);
  try {
    await once(https, 'listening');
  } catch (error) {
    await kvm[Symbol.asyncDispose]();
    throw error;
  }
  if (options.server === undefined) server.resume();

  const close = async (): Promise<void> => {
    clearTimeout(restartTimer);
    if (options.server === undefined) server.close();
    const closed = once(https, 'close');
    https.close();
    machine.sessions.endAll();
    https.closeAllConnections();
    await kvm[Symbol.asyncDispose]();
    await closed;
  };

  return {
    address,
    port: (https.address() as AddressInfo).port,
    certificate,
    fingerprint,
    chassis: server.chassis,
    hardware: server.hardware,
    serial: server.serial,
    drive,
    kvm,
    discBoot,
    accounts: machine.accounts,
    sessions: machine.sessions,
    firmwareMode: () => machine.firmwareMode,
    requestCount: () => requestCount,
    setMalfunctions: (next) => {
      malfunctions = { ...next };
      server.chassis.heedsPowerButton = next.ignoresSoftShutdown !== true;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads the image's volume name, as firmware would, then starts a live system. */
async function bootDisc(drive: LabDrive, { print, signal }: LabBoot): Promise<BootEnd> {
  print('\r\nBooting from DVD/CD...\r\n');
  print(`Live system of ${await drive.volumeName(signal)}\r\n`);
  return 'login';
}

async function bodyOf(request: IncomingMessage): Promise<Body | undefined> {
  let text = '';
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      text += chunk.toString('utf8');
      if (text.length > maxBodyBytes) return undefined;
    }
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: RedfishResponse): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'odata-version': '4.0',
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(text) }),
    ...headers,
  });
  response.end(text);
}
