// The addresses that the server listens on: they must be ours, free or held by our own server, and allowed to this user.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { splitListen } from '#app/reload/first-stage.ts';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import type { Config } from '#kernel/config.ts';
import type { Patient } from './machine.ts';
import { readable } from './site.ts';

interface Listener {
  readonly what: string;
  readonly host: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}
const answerMs = 5000;

export const listenerChecks: readonly Check<Patient>[] = [
  {
    name: 'server',
    fine: 'It answers and is ready.',
    async look({ config }) {
      const state = await serverState(config);
      if (state === 'ready') return [];
      if (state === 'absent')
        return [warning(`No Hostyard answers at ${placeOf(config.listen)}.`, 'Start it: `systemctl start hostyard`.')];
      return [
        fault(`The server at ${placeOf(config.listen)} says that it is not ready: ${state}.`, 'Look in its log.'),
      ];
    },
  },
  {
    name: 'listeners',
    fine: 'Every address can be listened on.',
    async look({ config }) {
      const held = (await serverState(config)) !== 'absent';
      const problems: Problem[] = [];
      for (const listener of listenersOf(config)) problems.push(...(await listenerProblems(listener, held)));
      return problems;
    },
  },
];

/** `ready`, `absent`, or the reason that it gives for not being ready. */
async function serverState({ listen }: Config): Promise<string> {
  // A port that the system chooses cannot be asked: lab.json names it to who knows of the lab.
  if (listen.port === 0) return 'absent';
  try {
    const answer = await fetch(`http://${placeOf(listen)}/readyz`, { signal: AbortSignal.timeout(answerMs) });
    const { status } = (await answer.json()) as { status?: string };
    return status ?? 'absent';
  } catch {
    return 'absent';
  }
}

function placeOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenersOf(config: Config): Listener[] {
  const site = readable(config);
  const of = (what: string, listen: string | undefined, ...protocols: Listener['protocol'][]): Listener[] => {
    if (listen === undefined) return [];
    const { address: host, port } = splitListen(listen);
    return protocols.map((protocol) => ({ what, host, port, protocol }));
  };
  return [
    { what: 'The API', ...config.listen, protocol: 'tcp' as const },
    ...(config.metricsListen === undefined
      ? []
      : [{ what: 'The metrics', ...config.metricsListen, protocol: 'tcp' as const }]),
    ...of('The name server', site?.nameserver?.listen, 'tcp', 'udp'),
    ...of('The boot server', site?.boot?.listen, 'tcp'),
    ...of('TFTP', site?.boot?.tftp, 'udp'),
    ...of('The media listener', site?.media?.listen, 'tcp'),
    ...of('The door to screens', site?.screens?.listen, 'tcp'),
  ];
}

async function listenerProblems(listener: Listener, heldByOurs: boolean): Promise<Problem[]> {
  const { what, host, port, protocol } = listener;
  const code = await bindError(listener);
  const place = `${placeOf({ host, port })} (${protocol})`;
  switch (code) {
    case undefined:
      return [];
    case 'EADDRINUSE':
      return heldByOurs
        ? []
        : [fault(`${what} cannot listen on ${place}: another program does.`, `\`ss -lnp\` shows which.`)];
    case 'EACCES':
      return [
        fault(
          `${what} may not listen on ${place}.`,
          'Ports below 1024 need CAP_NET_BIND_SERVICE, which the systemd unit gives.',
        ),
      ];
    default:
      return [fault(`${what} cannot listen on ${place}: ${code}.`, 'Give it an address of this machine.')];
  }
}

async function bindError({ host, port, protocol }: Listener): Promise<string | undefined> {
  try {
    if (protocol === 'tcp') {
      const server = createServer().listen(port, host);
      await once(server, 'listening');
      server.close();
    } else {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      const bound = once(socket, 'listening');
      socket.bind(port, host);
      await bound;
      socket.close();
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
