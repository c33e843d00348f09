// Configures a system through its files, which the daemon can access whether the instance runs or not. The hostname of
// a running instance is also set in its kernel. The customer decides what the files are and when a command ends, so a large
// file is not read, and waiting for one is no failure of the hypervisor.
import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import { noCloudInit, type NetworkSettings, type SystemBuild } from '../driver.ts';
import type { HypervisorRequest, HypervisorResponse, ResponseLimit } from '../http.ts';
import { checkSchema, parseEnvelope, hypervisorError, type LxdApi } from './api.ts';
import {
  hasCloudInit,
  hostnameFile,
  hostsFile,
  keyFile,
  networkFiles,
  resolverFile,
  seedFiles,
  shadowFile,
  type GuestFile,
} from './guest-files.ts';
import { instancePath, keys, powerState, type Instance } from './instances.ts';

const Names = Type.Array(Type.String());
/** Lists of hosts to block have a few megabytes. */
const limit: ResponseLimit = {
  bytes: 8 * 2 ** 20,
  error: () =>
    new ApiError('state_conflict', { message: 'The folder /etc of the machine, or a file in it, is too large.' }),
};
const longestMs = 8000;
const CommandResult = Type.Object({ return: Type.Integer() });

interface ExistingFile {
  readonly text: string;
  readonly type: string;
  readonly owner: { readonly uid: string; readonly gid: string; readonly mode: string };
}

/** Writes what a new system needs before its first start. Returns the digests of the files for its network. */
export async function configureSystem(
  api: LxdApi,
  instance: string,
  system: SystemBuild,
  signal: AbortSignal,
): Promise<string> {
  const { id, hostname, sshKeys, userData } = system;
  const etc = await listEtc(api, instance, signal);
  if (userData !== undefined && !hasCloudInit(etc)) throw noCloudInit(`no /etc/cloud in ${system.template}`);
  const files = networkFiles(system, etc);
  for (const file of files) await write(api, instance, file, signal);
  const resolver = await read(api, instance, '/etc/resolv.conf', signal);
  // A symlink points to a file that a resolver in the system manages, and its configuration was written above.
  if (resolver?.type !== 'symlink') await write(api, instance, resolverFile(system.nameServers), signal);
  await writeNames(api, instance, hostname, signal);
  await setPassword(api, instance, system.rootPassword, signal);
  const own = [
    ...(sshKeys.length === 0 ? [] : [keyFile(sshKeys)]),
    ...(userData === undefined ? [] : seedFiles(id, hostname, userData)),
  ];
  for (const file of own) {
    await createFolder(api, instance, dirname(file.path), signal);
    await write(api, instance, file, signal);
  }
  return files.map(({ text }) => digest(text)).join();
}

/** Changes the files for the network of an existing system. One that the customer changed, removed or replaced is theirs. */
export async function changeNetwork(
  api: LxdApi,
  { name, config }: Instance,
  settings: NetworkSettings,
  signal: AbortSignal,
): Promise<void> {
  const written = new Set(config[keys.network]?.split(','));
  const digests: string[] = [];
  const outdated: { readonly file: GuestFile; readonly owner: ExistingFile['owner'] }[] = [];
  for (const file of networkFiles(settings, await listEtc(api, name, signal))) {
    const existing = await read(api, name, file.path, signal);
    // Systems of earlier versions have no digests.
    const isCurrent = existing?.text === file.text;
    if (existing === undefined || !(isCurrent || written.has(digest(existing.text)))) continue;
    digests.push(...new Set([digest(existing.text), digest(file.text)]));
    if (!isCurrent) outdated.push({ file, owner: existing.owner });
  }
  // Before the files, so that they are still ours if this is interrupted.
  const recorded = { config: { [keys.network]: digests.join() } };
  if (recorded.config[keys.network] !== config[keys.network])
    await api.change('PATCH', instancePath(name), signal, recorded);
  for (const { file, owner } of outdated) await write(api, name, file, signal, owner);
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

export async function setHostname(
  api: LxdApi,
  instance: Instance,
  hostname: string,
  signal: AbortSignal,
): Promise<void> {
  await writeNames(api, instance.name, hostname, signal);
  if (powerState(instance) === 'off') return;
  const command = ['sh', '-c', 'hostname "$1" || echo "$1" > /proc/sys/kernel/hostname', 'sh', hostname];
  if ((await runCommand(api, instance.name, command, signal)) !== 0)
    throw hypervisorError('the system did not accept the hostname');
}

/** Runs a command in a running instance and returns its exit status. */
export async function runCommand(
  api: LxdApi,
  instance: string,
  command: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const body = { command, 'wait-for-websocket': false, 'record-output': false, interactive: false };
  const result = await api.change('POST', `${instancePath(instance)}/exec`, signal, body);
  return checkSchema(CommandResult, result, 'the result of a command').return;
}

export async function setPassword(api: LxdApi, instance: string, password: string, signal: AbortSignal): Promise<void> {
  const existing = await read(api, instance, '/etc/shadow', signal);
  await write(api, instance, shadowFile(existing?.text, password, Date.now()), signal, existing?.owner);
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
  const response = await send(api, { method: 'GET', path: filePath(instance, '/etc') }, signal);
  return checkSchema(Names, parseEnvelope(response).metadata, 'the files in /etc');
}

function send(api: LxdApi, request: HypervisorRequest, signal: AbortSignal): Promise<HypervisorResponse> {
  return api.send({ ...request, limit }, signal);
}

/**
 * Runs work on a system that its customer has used. A file can be a pipe that nobody writes to, and the shell a program
 * that never ends, so this takes a few seconds at most, and is no failure of the hypervisor.
 */
export async function inSystem<T>(signal: AbortSignal, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    return await work(patience);
  } catch (error) {
    throw patience.aborted && isUnreachable(error) ? systemHangs(error) : error;
  }
}

/**
 * Runs work on a system that has never run, which may take as long as the caller has. Its files can be a customer's, from an image. If
 * one is not read in time while the daemon responds to others, that is no failure of the hypervisor.
 */
export async function inNewSystem<T>(api: LxdApi, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !isUnreachable(error)) throw error;
    await api.get('/1.0', Type.Object({}), signal);
    throw systemHangs(error);
  }
}

function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'node_unreachable';
}

function systemHangs(cause: ApiError): ApiError {
  const message = 'The system of the machine does not respond. Check its files in /etc.';
  return new ApiError('state_conflict', { message, cause });
}

async function read(
  api: LxdApi,
  instance: string,
  path: string,
  signal: AbortSignal,
): Promise<ExistingFile | undefined> {
  const response = await send(api, { method: 'GET', path: filePath(instance, path) }, signal);
  if (response.status === 404) return undefined;
  const header = (name: string, fallback: string): string => {
    const value = response.headers[`x-lxd-${name}`] ?? response.headers[`x-incus-${name}`];
    return typeof value === 'string' ? value : fallback;
  };
  const owner = { uid: header('uid', '0'), gid: header('gid', '0'), mode: header('mode', '0644') };
  if (response.status === 200) return { text: response.text, type: header('type', 'file'), owner };
  parseEnvelope(response);
  throw hypervisorError(`LXD returned ${response.status} for a file`);
}

async function write(
  api: LxdApi,
  instance: string,
  { path, text, mode }: GuestFile,
  signal: AbortSignal,
  owner: ExistingFile['owner'] = { uid: '0', gid: '0', mode },
): Promise<void> {
  await post(api, instance, path, { ...owner, type: 'file', write: 'overwrite' }, text, signal);
}

/** Creates a folder of root's, with the folders above it. */
async function createFolder(api: LxdApi, instance: string, path: string, signal: AbortSignal): Promise<void> {
  if ((await read(api, instance, path, signal)) !== undefined) return;
  await createFolder(api, instance, dirname(path), signal);
  await post(api, instance, path, { uid: '0', gid: '0', mode: '0700', type: 'directory' }, '', signal);
}

async function post(
  api: LxdApi,
  instance: string,
  path: string,
  metadata: Readonly<Record<string, string>>,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(metadata).flatMap(([name, value]) =>
      [`x-lxd-${name}`, `x-incus-${name}`].map((header) => [header, value]),
    ),
  );
  const request = { method: 'POST', path: filePath(instance, path), headers, body: Buffer.from(text) } as const;
  parseEnvelope(await send(api, request, signal));
}
