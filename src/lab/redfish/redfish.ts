// A lab Redfish service: a server's management controller that speaks Redfish over HTTPS on a loopback port, to DMTF's schema,
// before the same kind of server as the lab's IPMI controllers, with faults on demand.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate, type Certificate } from '#kernel/certificate.ts';
import type { Chassis } from '../bmc/chassis.ts';
import type { BootEnd, LabBoot, SerialConsole } from '../bmc/serial.ts';
import {
  makeLabServer,
  type LabServer,
  type LabServerOptions,
  type LabServerState,
  type LabServerTiming,
} from '../bmc/server.ts';
import { factoryAccounts, LabAccounts, type LabAccount } from './accounts.ts';
import { answer } from './answer.ts';
import { LabDrive } from './drive.ts';
import type { LabRedfishFaults } from './faults.ts';
import type { FirmwareMode, Generation, MediaLayout, RedfishMachine } from './machine.ts';
import { refusal, type Body, type Outcome } from './outcome.ts';
import { LabRedfishSessions } from './sessions.ts';
import { LabTasks } from './tasks.ts';

/** What outlives a restart of the lab. It is plain data. */
export interface LabRedfishState extends LabServerState {
  firmwareMode: FirmwareMode;
  accounts: readonly LabAccount[];
  image: string | undefined;
}

export interface LabRedfishTiming extends LabServerTiming {
  /** How long a reset takes the controller off the network. */
  absenceMs: number;
  sessionIdleMs: number;
}

export interface LabRedfishOptions extends LabServerOptions {
  /** 0, or nothing, lets the system choose. */
  port?: number;
  admin: { username: string; password: string };
  certificate?: Certificate;
  serialNumber?: string;
  uuid?: string;
  macs?: readonly string[];
  /** One that another controller stands before already; one of its own unless told. */
  server?: LabServer;
  layout?: MediaLayout;
  generation?: Generation;
  state?: { load(): LabRedfishState | undefined; save(state: LabRedfishState): void };
  timing?: Partial<LabRedfishTiming>;
}

export interface LabRedfish extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** In PEM. */
  readonly certificate: string;
  readonly fingerprint: string;
  readonly chassis: Chassis;
  readonly serial: SerialConsole;
  readonly drive: LabDrive;
  /** Boots what is in the drive, where a boot wants that and there is something. */
  discBoot(boot: LabBoot): Promise<BootEnd> | undefined;
  readonly accounts: LabAccounts;
  readonly sessions: LabRedfishSessions;
  firmwareMode(): FirmwareMode;
  /** How many requests it has answered. */
  answered(): number;
  setFaults(faults: LabRedfishFaults): void;
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
const mostSessions = 16;
const largestBodyBytes = 64 * 1024;
/** Long enough for the answer to a reset to leave. */
const lastWordsMs = 50;

export function labCertificate(): Certificate {
  return selfSignedCertificate({ name: 'Lab Controller', hosts: [address], notBefore: new Date(0), days: 36_500 });
}

export async function startLabRedfish(options: LabRedfishOptions): Promise<LabRedfish> {
  const timing = { ...defaultTiming, ...options.timing };
  const { key, certificate, fingerprint } = options.certificate ?? labCertificate();
  const stored = options.state?.load();
  let faults: LabRedfishFaults = {};
  let isAway = false;
  let answered = 0;
  let restarting: NodeJS.Timeout | undefined;
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
  const server = options.server ?? makeLabServer({ ...options, onBoot }, timing, stored, save);
  const style = options.generation === 'early' ? 'slots' : 'collection';
  const machine: RedfishMachine = {
    server,
    drive,
    accounts: new LabAccounts(style, stored?.accounts ?? factoryAccounts(options.admin), save),
    sessions: new LabRedfishSessions(timing.sessionIdleMs, mostSessions),
    tasks: new LabTasks(),
    layout: options.layout ?? 'managers',
    generation: options.generation ?? 'present',
    serialNumber: options.serialNumber ?? 'LAB0001',
    uuid: options.uuid ?? randomUUID(),
    macs: options.macs ?? ['52:54:00:00:00:01', '52:54:00:00:00:02'],
    firmwareMode: stored?.firmwareMode ?? 'UEFI',
    faults: () => faults,
    restart: () => void (restarting = setTimeout(leave, lastWordsMs)),
  };

  const https = createServer({ key, cert: certificate }, (request, response) => void serve(request, response));
  https.on('connection', (socket) => {
    if (isAway) socket.destroy();
  });

  /** Who restarts forgets who was signed in and what was in the drive. */
  function leave(): void {
    isAway = true;
    machine.sessions.endAll();
    drive.eject();
    https.closeAllConnections();
    restarting = setTimeout(() => (isAway = false), timing.absenceMs);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (faults.isSilent !== true) response.on('finish', () => answered++);
    if (faults.isSilent === true) return;
    if (faults.isBusy === true) return send(response, refusal(503, 'ServiceTemporarilyUnavailable', 'Try again.'));
    if (body === undefined) return send(response, refusal(400, 'MalformedJSON', 'The body is not a JSON object.'));
    const outcome = await answer(machine, request, body);
    if (faults.breaksOnReset === true && request.url?.endsWith('ComputerSystem.Reset') === true) {
      faults = { ...faults, breaksOnReset: false };
      response.destroy();
      return undefined;
    }
    return send(response, outcome);
  }

  https.listen(options.port ?? 0, address);
  await once(https, 'listening');
  if (options.server === undefined) server.chassis.resume();

  const close = async (): Promise<void> => {
    clearTimeout(restarting);
    if (options.server === undefined) server.close();
    const closed = once(https, 'close');
    https.close();
    https.closeAllConnections();
    await closed;
  };

  return {
    address,
    port: (https.address() as AddressInfo).port,
    certificate,
    fingerprint,
    chassis: server.chassis,
    serial: server.serial,
    drive,
    discBoot,
    accounts: machine.accounts,
    sessions: machine.sessions,
    firmwareMode: () => machine.firmwareMode,
    answered: () => answered,
    setFaults: (next) => {
      faults = { ...next };
      server.chassis.heedsPowerButton = next.ignoresSoftShutdown !== true;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The firmware reads the disc as far as its name, and a live system comes up. */
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
      if (text.length > largestBodyBytes) return undefined;
    }
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: Outcome): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, {
    'odata-version': '4.0',
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(text) }),
    ...headers,
  });
  response.end(text);
}
