// hostyard console: the serial console of a server in this terminal. The screen of a virtual machine is a picture: for that the
// way in is printed, for a VNC viewer. A container has a text console again.
import type { MachineConsole } from '#sdk/v2.ts';
import { onCall } from '../command.ts';
import { deviceNamed } from '../named.ts';
import type { Session } from '../session.ts';
import type { Shell } from '../shell.ts';
import type { Define } from '../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async (session, _options, name: string) => {
    const { service, hostname, type } = await deviceNamed(session.client, name);
    const screen = type === 'dedicated' ? undefined : await screenOf(session, service);
    if (screen !== undefined) return session.show.fields(screen, ['host', 'port', 'user', 'pass']);
    await textConsole(session, shell, { service, hostname });
  });

/** Undefined for a machine without a screen. */
async function screenOf({ client }: Session, service: string): Promise<MachineConsole | undefined> {
  const { HostyardError } = await import('#sdk/error.ts');
  try {
    const answer = await client.deviceConsoleOpen({ service });
    return typeof answer === 'string' ? undefined : answer;
  } catch (error) {
    if (error instanceof HostyardError && error.code === 'capability_missing') return undefined;
    throw error;
  }
}

async function textConsole(
  { client, url }: Session,
  shell: Shell,
  { service, hostname }: { readonly service: string; readonly hostname: string },
): Promise<void> {
  const { terminalConsole } = await import('../terminal-console.ts');
  const ticket = await client.deviceConsoleTicket({ service });
  const socket = new URL(ticket.url.replace(/^\//, ''), url.endsWith('/') ? url : `${url}/`);
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';
  shell.err.write(`Console of ${hostname}. End it with Return, then ~. (more: ~?)\r\n`);
  await terminalConsole(socket, shell);
}
