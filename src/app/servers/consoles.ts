// Remote consoles of dedicated servers: launcher files with a BMC user that exists for one session, and the console reset.
// Customers never see the BMC's address or the provider's password.
import { ignoreMissing } from '#drivers/bmc/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { composedPorts, composeLauncher } from './console-launcher.ts';
import {
  fetchControllerLauncher,
  hasControllerLauncher,
  portsOfLauncher,
  rewriteLauncher,
} from './controller-launcher.ts';
import { abandonConsoleSession, forwardPorts, openConsoleSession, removeConsoleUsers } from './console-sessions.ts';
import { consoleHost, runBmcCommand, serverOf } from './servers.ts';

/** Opens a session and ends the previous one. Returns the launcher file in base64. */
export async function consoleOpen(context: Context, service: Service): Promise<string> {
  const { queries, app } = context;
  const server = serverOf(service);
  const row = await serverFind(queries, server);
  const model = row?.bmc_model ?? '';
  const gateway = app.consoleGateway.forwards;
  const composed = composedPorts(model);
  const isFetched = gateway !== undefined && row?.has_web_page === 1 && hasControllerLauncher(model);
  if (!isFetched && composed === undefined) throw noLauncher();
  const session = await openConsoleSession(context, service);
  const host = consoleHost(app, server, row?.console_host);
  // Without a gateway of ours, the provider runs one, with the controller's own ports.
  const forward = (ports: readonly number[]) =>
    gateway === undefined
      ? Object.fromEntries(ports.map((port) => [port, port]))
      : forwardPorts(context, session.id, ports);
  const makeFile = async (): Promise<string> => {
    if (!isFetched) return composeLauncher(model, { ...session, host, server, ports: await forward(composed!) });
    const launcher = await fetchControllerLauncher(app, { ...session, server, model });
    return rewriteLauncher(model, launcher, { host, ports: await forward(portsOfLauncher(model, launcher)) });
  };
  try {
    return Buffer.from(await makeFile()).toString('base64');
  } catch (error) {
    await abandonConsoleSession(context, server, session);
    throw error;
  }
}

function noLauncher(): ApiError {
  return new ApiError('capability_missing', {
    message: 'This server has no launcher file. Open its web console or serial console.',
  });
}

/** Ends all console sessions, also those that others have opened on the controller. */
export async function consoleReset(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await consoleTicketsRemoveOf(context.queries, service.id);
  context.app.serialLines.endViews(server, 'The console was reset.');
  await runBmcCommand(context, server, 'a console reset', async (bmc, signal) => {
    if (bmc.users !== undefined) await removeConsoleUsers(context, bmc.users, server, signal);
    // A controller without sessions has none to reset.
    await ignoreMissing(bmc.consoles?.reset(signal));
  });
}
