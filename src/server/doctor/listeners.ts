// Checks the addresses that the server listens on: each must be local, permitted, and free or used by our own server.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import { parseAddress } from '#lib/addresses.ts';
import { hostAndPort, splitListen, type Config, type ListenAddress } from '#lib/config.ts';
import { listenProblem } from '../listen-problem.ts';
import type { Target } from './machine.ts';
import { readSiteIfValid } from './site.ts';

interface Listener extends ListenAddress {
  readonly name: string;
  readonly protocol: 'tcp' | 'udp';
}
const responseTimeoutMs = 5000;

export const listenerChecks: readonly Check<Target>[] = [
  {
    name: 'server',
    okMessage: 'Running and ready.',
    async run({ config }) {
      const state = await serverState(config);
      const place = hostAndPort(config.listen);
      if (state === 'ready') return [];
      return state === 'absent'
        ? [warning(`No server responds at ${place}.`, 'Start it with `systemctl start hostyard` or `hostyard serve`.')]
        : [fault(`The server at ${place} is not ready: ${state}.`, 'Check its log.')];
    },
  },
  {
    name: 'listeners',
    okMessage: 'All addresses are available.',
    async run({ config }) {
      const isRunning = (await serverState(config)) !== 'absent';
      const problems: Problem[] = [];
      for (const listener of listListeners(config)) problems.push(...(await listenerProblems(listener, isRunning)));
      return problems;
    },
  },
];

/** Returns `ready`, `absent`, or the reason why the server is not ready. */
async function serverState({ listen }: Config): Promise<string> {
  // The system chose the port, so it is unknown here.
  if (listen.port === 0) return 'absent';
  try {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await fetch(`http://${hostAndPort(listen)}/readyz`, { signal });
    const { status } = (await response.json()) as { status?: string };
    return status ?? 'absent';
  } catch {
    return 'absent';
  }
}

function listListeners(config: Config): Listener[] {
  const site = readSiteIfValid(config);
  const listenersAt = (name: string, listen: string | undefined, ...protocols: Listener['protocol'][]): Listener[] => {
    if (listen === undefined) return [];
    const { host, port } = splitListen(listen);
    return protocols.map((protocol) => ({ name, host, port, protocol }));
  };
  return [
    { name: 'The API', ...config.listen, protocol: 'tcp' },
    ...(config.metricsListen === undefined
      ? []
      : [{ name: 'The metrics', ...config.metricsListen, protocol: 'tcp' as const }]),
    ...listenersAt('The name server', site?.nameserver?.listen, 'tcp', 'udp'),
    ...listenersAt('The boot server', site?.boot?.listen, 'tcp'),
    ...listenersAt('TFTP', site?.boot?.tftp, 'udp'),
    ...listenersAt('The media listener', site?.media?.listen, 'tcp'),
    ...listenersAt('The VNC listener', site?.screens?.listen, 'tcp'),
    ...listenersAt('The web consoles', site?.consoles?.web?.listen, 'tcp'),
  ];
}

async function listenerProblems(listener: Listener, isRunning: boolean): Promise<Problem[]> {
  const { name, protocol } = listener;
  const code = await bindError(listener);
  const place = `${hostAndPort(listener)} (${protocol})`;
  if (code === undefined || (code === 'EADDRINUSE' && isRunning)) return [];
  // Without permission to listen, only the system's list shows whether the server does.
  if (code === 'EACCES' && isRunning) {
    if (isHeld(listener)) return [];
    const fix = 'Restart the server, so that it uses the addresses in the site file.';
    return [fault(`${name} does not listen on ${place}, although the server is running.`, fix)];
  }
  const { message, fix } = listenProblem(name, place, code);
  return [fault(message, fix)];
}

const listeningState = '0A';

/** Returns true if a socket of any user listens on the address, or on the port of all addresses. */
function isHeld({ host, port, protocol }: Listener): boolean {
  const portText = port.toString(16).toUpperCase().padStart(4, '0');
  const addresses = [hexWords(parseAddress(host)?.toByteArray() ?? []), '0'.repeat(8), '0'.repeat(32)];
  const held = new Set(addresses.map((address) => `${address}:${portText}`));
  // Without IPv6, the second list does not exist.
  const lists = [`/proc/net/${protocol}`, `/proc/net/${protocol}6`].filter((list) => existsSync(list));
  return lists.some((list) =>
    readFileSync(list, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .some(([, local, , state]) => held.has(local!) && (protocol === 'udp' || state === listeningState)),
  );
}

/** Writes an address as Linux lists it: in words of four bytes, the last byte first. */
function hexWords(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(word * 4, word * 4 + 4).toReversed());
  return Buffer.from(words.flat()).toString('hex').toUpperCase();
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
