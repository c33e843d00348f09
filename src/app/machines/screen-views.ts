// A viewer and the screen or text console of a virtual machine, put together: the node's own authentication is done for him,
// then both streams are piped, each no faster than the other takes it.
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Hypervisor, Screen } from '#drivers/hypervisor/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { RfbError } from '#wire/rfb/error.ts';
import { clientHandshake, serveHandshake, serveOpenHandshake } from '#wire/rfb/handshake.ts';
import type { Yard } from '../yard.ts';

const openMs = 8000;
const greetingMs = 10_000;
const attemptsAtScreen = 3;

/** A screen that is ready for ClientInit: the node has let us in. */
export async function screenOpened(yard: Yard, service: number): Promise<Duplex> {
  return opened(yard, service, async (hypervisor, name, limit) => {
    if (hypervisor.screen === undefined) throw textOnly();
    return letIn(yard, hypervisor.screen, name, limit);
  });
}

/** What a browser is shown: the screen with nobody asked for a password, or the text console's bytes where there is none. */
export async function browserView(
  yard: Yard,
  service: number,
  viewer: Duplex,
  end: (reason: string) => void,
): Promise<void> {
  const { stream, greet } = await browserOpened(yard, service);
  try {
    await greet(viewer, AbortSignal.timeout(greetingMs));
  } catch (error) {
    stream.destroy();
    if (error instanceof RfbError) return end('This is not RFB.');
    throw error;
  }
  await viewed(yard, service, viewer, stream, end);
}

interface BrowserConsole {
  readonly stream: Duplex;
  greet(viewer: Duplex, signal: AbortSignal): Promise<void>;
}
function browserOpened(yard: Yard, service: number): Promise<BrowserConsole> {
  return opened(yard, service, async (hypervisor, name, limit) => {
    if (hypervisor.screen !== undefined)
      return { stream: await letIn(yard, hypervisor.screen, name, limit), greet: serveOpenHandshake };
    if (hypervisor.text === undefined)
      throw new Fault('capability_missing', { message: 'This machine has no console.' });
    return { stream: await hypervisor.text.open(name, limit), greet: async () => {} };
  });
}

export function textOnly(): Fault {
  return new Fault('capability_missing', {
    message: 'This machine has a text console only: get a ticket for it with POST /v2/device/console.',
  });
}

/** The server's side of VNC authentication. Undefined where the viewer was turned away, or is no viewer at all. */
export async function viewerAdmitted<T>(
  viewer: Duplex,
  signal: AbortSignal,
  accept: (challenge: Buffer, response: Buffer) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await serveHandshake(viewer, { accept }, signal);
  } catch (error) {
    if (!(error instanceof RfbError)) throw error;
    // One who gave a wrong answer is told so before the line is cut; others are just cut off.
    if (!viewer.writableEnded) viewer.destroy();
    return undefined;
  }
}

/** Resolves when the view has ended, for whatever reason; both streams are closed then. `end` hangs up on the viewer. */
export async function viewed(
  yard: Yard,
  service: number,
  viewer: Duplex,
  machine: Duplex,
  end: (reason: string) => void,
): Promise<void> {
  const leave = yard.screens.enter(service, end);
  try {
    await pipeline(viewer, machine, viewer);
  } catch {
    // Whoever hung up, it is over.
  } finally {
    leave();
    viewer.destroy();
    machine.destroy();
  }
}

async function opened<T>(
  yard: Yard,
  service: number,
  open: (hypervisor: Hypervisor, name: string, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const machine = await machineFind(yard.store.queries, service);
  if (machine === undefined || machine.node === null) throw new Fault('not_found');
  const limit = AbortSignal.timeout(openMs);
  return yard.nodes.use(machine.node, (hypervisor) => open(hypervisor, machineName(machine.vmid), limit));
}

/**
 * An emulator has one password for its screen, and each viewer a new one: until he is in, the next waits. Whoever comes through
 * another process may still change it meanwhile; then it is tried again.
 */
function letIn(yard: Yard, screen: Screen, name: string, limit: AbortSignal): Promise<Duplex> {
  return yard.screens.atScreen(name, async () => {
    for (let attempt = 1; ; attempt++) {
      const { stream, password } = await screen.open(name, limit);
      try {
        return await shakenHands(stream, password, limit);
      } catch (error) {
        const isOvertaken = error instanceof RfbError && error.kind === 'auth' && attempt < attemptsAtScreen;
        if (!isOvertaken) throw new Fault('node_error', { cause: error });
      }
    }
  });
}

async function shakenHands(stream: Duplex, password: string | undefined, limit: AbortSignal): Promise<Duplex> {
  // From here on the connection is ours, and so are its failures.
  stream.on('error', () => {});
  try {
    await clientHandshake(stream, password, limit);
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
