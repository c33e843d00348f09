// Dedicated servers: commands on their BMCs, one at a time, and their hardware.
import type { Static } from 'typebox';
import { hardwareCategories, type Hardware } from '#contract/shapes/device.ts';
import { ignoreMissing, requireCapability, type Bmc } from '#drivers/bmc/driver.ts';
import { commandTimeout, runDeviceCommand } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { serverFind, serverParts } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import { linkStatus, livePorts } from '../network/ports.ts';
import { serviceOfServer } from '../services/services.ts';
import type { App, Context } from '../app.ts';

/** With some time to spare, because calls during the restart must not open the circuit breaker. */
const restartFactor = 1.5;

/** Returns the physical server of a service. Virtual machines have none, and terminated services no longer. */
export function serverOf(service: Service): string {
  if (service.status === 'Terminated') throw new ApiError('service_terminated');
  if (service.server === null)
    throw new ApiError('capability_missing', {
      message: 'This is only available for dedicated servers; this service is a virtual machine.',
    });
  return service.server;
}

/** Returns the host at which customers reach the console of a server. It is never the address of its BMC. */
export function consoleHost({ consoleGateway }: App, server: string, configured = server): string {
  return configured === server ? (consoleGateway.forwards?.host ?? server) : configured;
}

/** Runs a command on a server's BMC under the server's lock. Others see `purpose` while they wait. */
export function runBmcCommand<T>(
  context: Context,
  server: string,
  purpose: string,
  command: (bmc: Bmc, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return runServerCommand(context, server, purpose, (signal) =>
    context.app.bmcs.use(server, (bmc) => command(bmc, signal)),
  );
}

/** Runs a command on a server under its lock. */
export async function runServerCommand<T>(
  context: Context,
  server: string,
  purpose: string,
  command: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { app, caller } = context;
  const { commandMs: timeoutMs } = await app.bmcs.waits(server);
  const guarded = async (signal: AbortSignal): Promise<T> => {
    // Again, because the service may have been suspended or terminated while this command waited for the lock.
    await serviceOfServer(context, server);
    return command(signal);
  };
  return runDeviceCommand(app, { device: server, holder: caller.requestId, purpose }, guarded, { timeoutMs });
}

/** Restarts the BMC while the server keeps running. Calls wait for it to come back. */
export async function resetBmc(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await runBmcCommand(context, server, 'an IPMI reset', (bmc, signal) =>
    requireCapability(bmc, 'controller').reset(signal),
  );
  const { bmcs } = context.app;
  bmcs.expectSilence(server, restartFactor * (await bmcs.waits(server)).restartMs);
}

/** Returns the provider's description of a server, completed by what its BMC reports. */
export async function serverHardware(context: Context, service: Service): Promise<Static<typeof Hardware>> {
  const server = serverOf(service);
  const described = serverParts.decode((await serverFind(context.queries, server))?.parts ?? '{}');
  const reported = await context.app.bmcs.use(server, ({ inventory }, { commandMs }) =>
    ignoreMissing(inventory?.read(commandTimeout(undefined, commandMs))),
  );
  const known: Record<string, readonly string[]> = { ...reported };
  for (const [category, texts] of Object.entries(described)) if (texts.length > 0) known[category] = texts;
  const parts = Object.fromEntries(hardwareCategories.map((category) => [category, [...(known[category] ?? [])]]));
  // Anything else is described with the board.
  for (const [category, texts] of Object.entries(known))
    if (!(category in parts)) parts['Motherboard']!.push(...texts.map((text) => `${category}: ${text}`));
  return { parts, ports: await portStates(context, service) };
}

async function portStates(context: Context, service: Service): Promise<Static<typeof Hardware>['ports']> {
  const ports: Record<string, Static<typeof Hardware>['ports'][string]> = {};
  for (const { port, state } of await livePorts(context, service)) {
    (ports[port.switch] ??= {})[state.name] = {
      ifAdminStatus: state.adminStatus,
      ifOperStatus: linkStatus(state),
      ifSpeed: String(state.speedBitsPerSecond),
    };
  }
  return ports;
}
