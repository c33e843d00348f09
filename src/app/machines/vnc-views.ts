// Connects a viewer to the VNC or text console of a virtual machine: authenticates with the hypervisor on the viewer's behalf,
// then pipes both streams with backpressure.
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireCapability, type Hypervisor, type VncConsole } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { machineFind, machineName, type Machine } from '#store/devices/machines.ts';
import { RfbError } from '#protocols/rfb/error.ts';
import { clientHandshake, serveHandshake, serveOpenHandshake } from '#protocols/rfb/handshake.ts';
import type { App } from '../app.ts';

const handshakeMs = 10_000;
const vncAttempts = 3;

/** Opens a VNC stream that is authenticated and ready for ClientInit. */
export async function openVncStream(app: App, service: number): Promise<Duplex> {
  return openConsole(app, service, async (hypervisor, { vmid }, limit) =>
    authenticate(app, requireCapability(hypervisor, 'vnc'), machineName(vmid), limit),
  );
}

/**
 * Shows a ticket's viewer the VNC console without asking for a password. One that does not insist on RFB gets the text
 * console of a container.
 */
export async function viewInBrowser(
  app: App,
  service: number,
  viewer: Duplex,
  { insistsOnRfb, end }: { readonly insistsOnRfb: boolean; end(reason: string): void },
): Promise<void> {
  const { stream, greet } = await openForBrowser(app, service, insistsOnRfb);
  try {
    await greet(viewer, AbortSignal.timeout(handshakeMs));
  } catch (error) {
    stream.destroy();
    if (error instanceof RfbError) return end('The client does not speak RFB.');
    throw error;
  }
  await pipeView(app, service, viewer, stream, end);
}

interface BrowserConsole {
  readonly stream: Duplex;
  greet(viewer: Duplex, signal: AbortSignal): Promise<void>;
}
function openForBrowser(app: App, service: number, insistsOnRfb: boolean): Promise<BrowserConsole> {
  return openConsole(app, service, async (hypervisor, { vmid, kind }, limit) => {
    const name = machineName(vmid);
    if (kind === 'OpenVZ' && !insistsOnRfb)
      return { stream: await requireCapability(hypervisor, 'text').open(name, limit), greet: announceText };
    const vnc = requireCapability(hypervisor, 'vnc');
    return { stream: await authenticate(app, vnc, name, limit), greet: serveOpenHandshake };
  });
}

/** An empty frame, so that a viewer learns that it has no RFB even while the console is silent. */
async function announceText(viewer: Duplex): Promise<void> {
  viewer.write(Buffer.alloc(0));
}

/** Runs the server side of VNC authentication. Returns undefined if the viewer was rejected or does not speak RFB. */
export async function authenticateViewer<T>(
  viewer: Duplex,
  signal: AbortSignal,
  accept: (challenge: Buffer, response: Buffer) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await serveHandshake(viewer, { verify: accept }, signal);
  } catch (error) {
    if (!(error instanceof RfbError)) throw error;
    // A viewer with a wrong password still receives the rejection before the connection closes.
    if (!viewer.writableEnded) viewer.destroy();
    return undefined;
  }
}

/** Resolves when the view has ended and both streams are closed. `end` disconnects the viewer. */
export async function pipeView(
  app: App,
  service: number,
  viewer: Duplex,
  machine: Duplex,
  end: (reason: string) => void,
): Promise<void> {
  const leave = app.vncListeners.enter(service, end);
  try {
    await pipeline(viewer, machine, viewer);
  } catch {
    // Either side may disconnect at any time.
  } finally {
    leave();
    viewer.destroy();
    machine.destroy();
  }
}

async function openConsole<T>(
  app: App,
  service: number,
  open: (hypervisor: Hypervisor, machine: Machine, limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const machine = await machineFind(app.store.queries, service);
  if (machine === undefined || machine.node === null) throw new ApiError('not_found');
  const limit = commandTimeout();
  return app.hypervisors.use(machine.node, (hypervisor) => open(hypervisor, machine, limit));
}

/**
 * An emulator has a single VNC password, and each viewer sets a new one: the next viewer waits until this one is in. A viewer
 * through another process may change the password in between, so a rejected attempt is repeated.
 */
function authenticate(app: App, vnc: VncConsole, name: string, limit: AbortSignal): Promise<Duplex> {
  return app.vncListeners.runExclusively(name, async () => {
    for (let attempt = 1; ; attempt++) {
      const { stream, password } = await vnc.open(name, limit);
      try {
        return await shakeHands(stream, password, limit);
      } catch (error) {
        const isRetried = error instanceof RfbError && error.kind === 'auth' && attempt < vncAttempts;
        if (!isRetried) throw new ApiError('node_error', { cause: error });
      }
    }
  });
}

async function shakeHands(stream: Duplex, password: string | undefined, limit: AbortSignal): Promise<Duplex> {
  // The stream is ours now; its errors surface through the handshake or the pipe.
  stream.on('error', () => {});
  try {
    await clientHandshake(stream, password, limit);
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
