// Inside an instance: its files, through the daemon, whether it runs or not; and its hostname, which what runs must be told.
import { Type } from 'typebox';
import type { SystemBuild } from '../driver.ts';
import { fitting, opened, wrong, type LxdApi } from './api.ts';
import { hostnameFile, hostsFile, networkFiles, resolverFile, shadowFile, type GuestFile } from './guest-files.ts';
import { instancePath, powerOf, type Instance } from './shapes.ts';

const Names = Type.Array(Type.String());
const Ended = Type.Object({ return: Type.Integer() });

interface PresentFile {
  readonly text: string;
  readonly type: string;
  readonly owner: { readonly uid: string; readonly gid: string; readonly mode: string };
}

/** Puts in what a new system must know before it starts for the first time. */
export async function furnish(api: LxdApi, instance: string, system: SystemBuild, signal: AbortSignal): Promise<void> {
  const etc = await listEtc(api, instance, signal);
  for (const file of networkFiles(system, etc)) await write(api, instance, file, signal);
  const resolver = await read(api, instance, '/etc/resolv.conf', signal);
  // A link leads to what some program of the system writes itself, and whose setup was given the same above.
  if (resolver?.type !== 'symlink') await write(api, instance, resolverFile(system.nameServers), signal);
  await writeNames(api, instance, system.hostname, signal);
  await setPassword(api, instance, system.rootPassword, signal);
}

export async function setHostname(
  api: LxdApi,
  instance: Instance,
  hostname: string,
  signal: AbortSignal,
): Promise<void> {
  await writeNames(api, instance.name, hostname, signal);
  if (powerOf(instance) === 'off') return;
  const command = ['sh', '-c', 'hostname "$1" || echo "$1" > /proc/sys/kernel/hostname', 'sh', hostname];
  const body = { command, 'wait-for-websocket': false, 'record-output': false, interactive: false };
  const ended = await api.change('POST', `${instancePath(instance.name)}/exec`, signal, body);
  if (fitting(Ended, ended, 'the end of a command').return !== 0) throw wrong('the system did not take the hostname');
}

export async function setPassword(api: LxdApi, instance: string, password: string, signal: AbortSignal): Promise<void> {
  const present = await read(api, instance, '/etc/shadow', signal);
  await write(api, instance, shadowFile(present?.text, password, Date.now()), signal, present?.owner);
}

async function writeNames(api: LxdApi, instance: string, hostname: string, signal: AbortSignal): Promise<void> {
  const hosts = await read(api, instance, '/etc/hosts', signal);
  await write(api, instance, hostsFile(hosts?.text, hostname), signal, hosts?.owner);
  await write(api, instance, hostnameFile(hostname), signal);
}

function filePath(instance: string, path: string): string {
  return `${instancePath(instance)}/files?path=${encodeURIComponent(path)}`;
}

async function listEtc(api: LxdApi, instance: string, signal: AbortSignal): Promise<readonly string[]> {
  return api.get(filePath(instance, '/etc'), Names, signal);
}

async function read(
  api: LxdApi,
  instance: string,
  path: string,
  signal: AbortSignal,
): Promise<PresentFile | undefined> {
  const answer = await api.send({ method: 'GET', path: filePath(instance, path) }, signal);
  if (answer.status === 404) return undefined;
  const told = (name: string, usual: string): string => {
    const value = answer.headers[`x-lxd-${name}`] ?? answer.headers[`x-incus-${name}`];
    return typeof value === 'string' ? value : usual;
  };
  const owner = { uid: told('uid', '0'), gid: told('gid', '0'), mode: told('mode', '0644') };
  if (answer.status === 200) return { text: answer.text, type: told('type', 'file'), owner };
  opened(answer);
  throw wrong(`LXD answered ${answer.status} for a file`);
}

async function write(
  api: LxdApi,
  instance: string,
  { path, text, mode }: GuestFile,
  signal: AbortSignal,
  owner: PresentFile['owner'] = { uid: '0', gid: '0', mode },
): Promise<void> {
  const told = Object.entries({ ...owner, type: 'file', write: 'overwrite' });
  const headers = Object.fromEntries(
    told.flatMap(([name, value]) => [`x-lxd-${name}`, `x-incus-${name}`].map((header) => [header, value])),
  );
  const request = { method: 'POST', path: filePath(instance, path), headers, body: Buffer.from(text) } as const;
  opened(await api.send(request, signal));
}
