// A lab node: a hypervisor as a simulator on a loopback port. It keeps machines as state and speaks a small protocol of JSON
// over HTTP for control, RFB on a console port and bare bytes, after an upgrade, for the text console; faults on demand.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls, machineOf, Refusal, running, type LabNodeHouse } from './calls.ts';
import type { LabNodeFaults, LabNodeStep } from './faults.ts';
import { openMachine, type LabMachineState, type LabVirtualMachine } from './machine.ts';
import { authorize, bodyOf, routeOf, send } from './requests.ts';
import { makeScreens } from './screens.ts';
import { labTemplates } from './templates.ts';

/** What outlives a restart of the lab. It is plain data. */
export type LabNodeState = Readonly<Record<string, LabMachineState>>;

export interface LabNodeTiming {
  /** From power on to the login prompt. */
  readonly bootMs: number;
  readonly buildMs: number;
  readonly softOffMs: number;
}

export interface LabNodeOptions {
  readonly token: string;
  readonly address?: string;
  /** 0, or nothing, lets the system choose. */
  readonly port?: number;
  readonly templates?: readonly string[];
  readonly memoryMb?: number;
  readonly diskGb?: number;
  readonly timing?: Partial<LabNodeTiming>;
  readonly state?: { load(): LabNodeState | undefined; save(state: LabNodeState): void };
}

export interface LabNode extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly machines: ReadonlyMap<string, LabVirtualMachine>;
  /** Every call that changed something, in order: `build vm-101`. */
  readonly events: readonly string[];
  setFaults(faults: LabNodeFaults): void;
  close(): Promise<void>;
}

const defaultTiming: LabNodeTiming = { bootMs: 1_000, buildMs: 1_000, softOffMs: 500 };
const mostEvents = 10_000;
const textProtocol = 'hostyard-text';

export async function startLabNode(options: LabNodeOptions): Promise<LabNode> {
  const { token, address = '127.0.0.1', port = 0, templates = labTemplates.map(({ source }) => source) } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const machines = new Map<string, LabVirtualMachine>();
  const events: string[] = [];
  const screens = makeScreens();
  let faults: LabNodeFaults = {};
  const save = (): void =>
    options.state?.save(Object.fromEntries(Array.from(machines, ([name, { state }]) => [name, state])));
  const house: LabNodeHouse = {
    machines,
    templates,
    memoryMb: options.memoryMb ?? 65_536,
    diskGb: options.diskGb ?? 4_000,
    buildMs: timing.buildMs,
    faults: () => faults,
    add(name, state) {
      const heedsShutdown = (): boolean => faults.ignoresShutdown !== true;
      const machine = openMachine(name, state, { ...timing, heedsShutdown, onChange: save });
      machines.set(name, machine);
      return machine;
    },
    save,
    admit: (machine) => ({ port: portOf(screens.server), password: screens.admit(machine) }),
  };
  for (const [name, state] of Object.entries(options.state?.load() ?? {})) house.add(name, structuredClone(state));

  const note = (step: LabNodeStep, name: string): void => {
    events.push(`${step} ${name}`);
    if (events.length > mostEvents) events.shift();
  };
  /** The JSON to answer with, or that the connection is to be cut. */
  const carryOut = async (request: IncomingMessage): Promise<unknown> => {
    authorize(request, token);
    const { route, names } = routeOf(request);
    const call = calls[route];
    if (call === undefined) throw new Refusal(404, 'absent', 'There is no such call.');
    const answer = await call.run(house, names, await bodyOf(request));
    if (call.step !== undefined) note(call.step, names.machine);
    if (call.step === undefined || faults.diesAt !== call.step) return answer ?? {};
    faults = { isDown: true };
    return cut;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (faults.isSilent === true) return;
    if (faults.isDown === true) return void request.socket.destroy();
    if (faults.answersAfterMs !== undefined) await sleep(faults.answersAfterMs);
    if (faults.talksNonsense === true) return void response.end('<html>');
    try {
      const answer = await carryOut(request);
      if (answer === cut) request.socket.destroy();
      else send(response, 200, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) request.socket.destroy();
      else send(response, error.status, { error: error.code, message: error.message });
    }
  };
  const upgrade = (request: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => {});
    if (faults.isSilent === true) return;
    try {
      authorize(request, token);
      const { route, names } = routeOf(request);
      if (faults.isDown === true || route !== 'GET /machines/*/text') return void socket.destroy();
      const machine = running(machineOf(house, names));
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${textProtocol}\r\n\r\n`);
      const unlisten = machine.serial.listen((text) => socket.write(text));
      socket.on('close', unlisten).on('data', (bytes: Buffer) => machine.serial.type(bytes));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    }
  };

  const control = createServer((request, response) => void handle(request, response));
  const upgraded = new Set<Duplex>();
  control.on('upgrade', (request, socket) => {
    upgraded.add(socket);
    socket.on('close', () => upgraded.delete(socket));
    upgrade(request, socket);
  });
  await listen(screens.server, 0, address);
  try {
    await listen(control, port, address);
  } catch (error) {
    screens.server.close();
    throw error;
  }

  let closed: Promise<unknown> | undefined;
  const close = async (): Promise<void> => {
    closed ??= Promise.all([once(control, 'close'), once(screens.server, 'close')]);
    control.close();
    control.closeAllConnections();
    screens.server.close();
    for (const socket of [...screens.sockets, ...upgraded]) socket.destroy();
    for (const machine of machines.values()) machine.close();
    await closed;
  };
  return {
    address,
    port: portOf(control),
    machines,
    events,
    setFaults: (next) => void (faults = next),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const cut = Symbol('cut');

async function listen(server: NetServer | Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function portOf(server: NetServer | Server): number {
  return (server.address() as AddressInfo).port;
}
