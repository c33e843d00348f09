// hostyard console and console-reset. A dedicated server and a container have a text console, which opens in this terminal.
// A virtual machine has a graphical one: the command prints the credentials for a VNC viewer.
import type { MachineConsole } from '#sdk/v2.ts';
import { apiHandler, withYes, type YesOption } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { findDevice } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';

interface ServiceArgument {
  readonly service: string;
}

export const openConsole = apiHandler({
  async run(session: Session, args: ServiceArgument) {
    const { service, hostname } = await findDevice(session.client, args.service);
    const shown = await openTextConsole(session, { service, hostname });
    if (shown === 'text') return;
    await session.print.fields(await openVnc(session, service), ['host', 'port', 'user', 'pass']);
  },
});

/** Ends a session that was opened through the legacy launcher or for a VNC viewer. */
export const resetConsole = apiHandler({
  options: withYes,
  async run({ client, print, shell }: Session, args: ServiceArgument, options: YesOption) {
    const { service, hostname } = await findDevice(client, args.service);
    await confirm(shell, `End the open console session of ${hostname} (service ${service})?`, options);
    await print.text(await client.deviceConsoleReset({ service }));
  },
});

async function openVnc({ client }: Session, service: string): Promise<MachineConsole> {
  const { HostyardError } = await import('#sdk/error.ts');
  try {
    return (await client.deviceConsoleOpen({ service })) as MachineConsole;
  } catch (error) {
    if (!(error instanceof HostyardError && error.code === 'capability_missing')) throw error;
    throw new CommandError(
      'This machine has a graphical console, and VNC access is not enabled. Open the console in the panel.',
    );
  }
}

async function openTextConsole(
  { client, url, shell }: Session,
  { service, hostname }: { readonly service: string; readonly hostname: string },
): Promise<'text' | 'graphical'> {
  const { terminalConsole } = await import('../terminal-console.ts');
  const ticket = await client.deviceConsoleTicket({ service });
  const socket = new URL(ticket.url.replace(/^\//, ''), url.endsWith('/') ? url : `${url}/`);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  const greeting = `Connected to ${hostname}. To disconnect press Return, then ~. (help: ~?)\r\n`;
  return terminalConsole(socket, shell, greeting);
}
