// A lab hypervisor: a simulator on a loopback port. It is controlled by JSON over HTTP and serves consoles over RFB,
// and text consoles as raw bytes after an HTTP upgrade. Malfunctions can be injected.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineOf, CallError, requireRunning, type HypervisorContext } from './call.ts';
import { calls } from './calls.ts';
import type { LabHypervisorMalfunctions, LabHypervisorStep } from './malfunctions.ts';
import { openMachine, type LabImage, type LabMachineState, type LabVirtualMachine, type LabVolume } from './machine.ts';
import { authorize, bodyOf, routeOf, send } from './requests.ts';
import { createVncServer } from './vnc-server.ts';
import { labTemplates } from './templates.ts';

/** Plain data that survives a restart of the lab. */
export type LabHypervisorState = Readonly<Record<string, LabMachineState>>;

export interface LabHypervisorTiming {
  /** From power on to the login prompt. */
  readonly bootMs: number;
  readonly buildMs: number;
  readonly softOffMs: number;
}

export interface LabHypervisorOptions {
  readonly token: string;
  readonly address?: string;
  /** Chosen by the operating system if 0 or undefined. */
  readonly port?: number;
  readonly templates?: readonly string[];
  readonly memoryMb?: number;
  readonly diskGb?: number;
  readonly timing?: Partial<LabHypervisorTiming>;
  /** Changes when the hypervisor does, before the state is saved. */
  readonly volumes?: Record<string, LabVolume>;
  readonly images?: Record<string, LabImage>;
  /** Megabytes of filling in the content of each machine; none by default. */
  readonly fillMb?: number;
  readonly state?: { load(): LabHypervisorState | undefined; save(state: LabHypervisorState): void };
}

export interface LabHypervisor extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly machines: ReadonlyMap<string, LabVirtualMachine>;
  readonly volumes: Readonly<Record<string, LabVolume>>;
  readonly images: Readonly<Record<string, LabImage>>;
  /** Every call that changed something, in order, such as `build vm-101`. */
  readonly events: readonly string[];
  setMalfunctions(malfunctions: LabHypervisorMalfunctions): void;
  /** Lets its machines count as if this much time had passed. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
}

const defaultTiming: LabHypervisorTiming = { bootMs: 1_000, buildMs: 1_000, softOffMs: 500 };
const maxEvents = 10_000;
const textProtocol = 'hostyard-text';

export async function startLabHypervisor(options: LabHypervisorOptions): Promise<LabHypervisor> {
  const { token, address = '127.0.0.1', port = 0, templates = labTemplates.map(({ source }) => source) } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const machines = new Map<string, LabVirtualMachine>();
  const volumes = options.volumes ?? {};
  const images = options.images ?? {};
  const events: string[] = [];
  const vncServer = createVncServer();
  const textConsoles = new Map<string, Set<Duplex>>();
  let malfunctions: LabHypervisorMalfunctions = {};
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  const save = (): void =>
    options.state?.save(Object.fromEntries(Array.from(machines, ([name, { state }]) => [name, state])));
  const hypervisor: HypervisorContext = {
    machines,
    volumes,
    images,
    fillMb: options.fillMb ?? 0,
    templates,
    memoryMb: options.memoryMb ?? 65_536,
    diskGb: options.diskGb ?? 4_000,
    buildMs: timing.buildMs,
    now,
    malfunctions: () => malfunctions,
    add(name, state) {
      const heedsShutdown = (): boolean => malfunctions.ignoresShutdown !== true;
      const onChange = (): void => {
        save();
        if (state.power === 'off') for (const socket of textConsoles.get(name) ?? []) socket.end();
      };
      const machine = openMachine(name, state, { ...timing, now, heedsShutdown, onChange });
      machines.set(name, machine);
      return machine;
    },
    save,
    admit: (machine) => ({ port: portOf(vncServer.server), password: vncServer.issuePassword(machine) }),
  };
  for (const [name, state] of Object.entries(options.state?.load() ?? {})) hypervisor.add(name, structuredClone(state));

  const recordEvent = (step: LabHypervisorStep, name: string): void => {
    events.push(`${step} ${name}`);
    if (events.length > maxEvents) events.shift();
  };
  /** Returns the JSON to respond with, or `cutConnection`. */
  const execute = async (request: IncomingMessage): Promise<unknown> => {
    authorize(request, token);
    const { route, names } = routeOf(request);
    const call = calls[route];
    if (call === undefined) throw new CallError(404, 'absent', 'No such call.');
    const result = await call.run(hypervisor, names, await bodyOf(request));
    if (call.step !== undefined) recordEvent(call.step, names.machine);
    if (call.step === undefined || malfunctions.crashesAt !== call.step) return result ?? {};
    malfunctions = { isDown: true };
    return cutConnection;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (malfunctions.isSilent === true) return;
    if (malfunctions.isDown === true) return void request.socket.destroy();
    if (malfunctions.responseDelayMs !== undefined) await sleep(malfunctions.responseDelayMs);
    if (malfunctions.sendsGarbage === true) return void response.end('<html>');
    try {
      const result = await execute(request);
      if (result === cutConnection) request.socket.destroy();
      else send(response, 200, result);
    } catch (error) {
      if (!(error instanceof CallError)) request.socket.destroy();
      else send(response, error.status, { error: error.code, message: error.message });
    }
  };
  const upgrade = (request: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => {});
    if (malfunctions.isSilent === true) return;
    try {
      authorize(request, token);
      const { route, names } = routeOf(request);
      if (malfunctions.isDown === true || route !== 'GET /machines/*/text') return void socket.destroy();
      const machine = requireRunning(machineOf(hypervisor, names));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${textProtocol}\r\n\r\n`);
      const consoles = textConsoles.get(machine.name) ?? new Set();
      textConsoles.set(machine.name, consoles.add(socket));
      const unlisten = machine.serial.listen((text) => socket.write(text));
      socket.on('data', (bytes: Buffer) => machine.serial.type(bytes));
      socket.on('close', () => {
        unlisten();
        consoles.delete(socket);
      });
    } catch (error) {
      const status = error instanceof CallError ? error.status : 500;
      socket.end(`HTTP/1.1 ${status} Rejected\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    }
  };

  const control = createServer((request, response) => void handle(request, response));
  const upgraded = new Set<Duplex>();
  control.on('upgrade', (request, socket) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    upgrade(request, socket);
  });
  await listen(vncServer.server, 0, address);
  try {
    await listen(control, port, address);
  } catch (error) {
    vncServer.server.close();
    throw error;
  }

  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    closed ??= Promise.all([once(control, 'close'), once(vncServer.server, 'close')]);
    control.close();
    control.closeAllConnections();
    vncServer.server.close();
    for (const socket of [...vncServer.sockets, ...upgraded]) socket.destroy();
    for (const machine of machines.values()) machine.close();
    await closed;
  };
  return {
    address,
    port: portOf(control),
    machines,
    volumes,
    images,
    events,
    setMalfunctions: (next) => void (malfunctions = next),
    pass: (milliseconds) => void (aheadMs += milliseconds),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const cutConnection = Symbol('cut');

async function listen(server: NetServer | Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function portOf(server: NetServer | Server): number {
  return (server.address() as AddressInfo).port;
}
