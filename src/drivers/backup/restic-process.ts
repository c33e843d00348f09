// Runs restic as a child process. Passwords and keys go through the environment and private files, never
// through arguments, which every user of the server can read. The kernel kills the process if Hostyard dies: otherwise restic
// would take the end of its input for the end of the content.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ApiError } from '#lib/api-error.ts';
import type { RepositoryAccess, RepositorySettings } from './driver.ts';

export interface ResticTarget {
  readonly settings: RepositorySettings;
  readonly access: RepositoryAccess;
  readonly niceness: number;
}

export interface Restic extends AsyncDisposable {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when restic succeeded; rejects with its error otherwise. */
  finish(): Promise<void>;
}

const maxErrorBytes = 4096;
const connectSeconds = 20;

/** Disposing kills the process if it still runs. */
export async function startRestic(target: ResticTarget, args: readonly string[], signal: AbortSignal): Promise<Restic> {
  signal.throwIfAborted();
  const { settings, access, niceness } = target;
  await using owned = new AsyncDisposableStack();
  const { environment, options } = await prepareAccess(settings, access, owned);
  const command = ['nice', '-n', String(niceness), 'restic', '--no-cache', ...options, ...args];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...environment, RESTIC_PASSWORD: access.password, RESTIC_PROGRESS_FPS: '0.1' },
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  // An error of the pipe says less than restic's own message.
  child.stdin.on('error', () => {});
  const errorText = collectEnd(child);
  const ended = once(child, 'close') as Promise<[number | null]>;
  // Whoever finishes sees it.
  ended.catch(() => {});
  owned.defer(async () => {
    kill();
    await ended.catch(() => {});
    signal.removeEventListener('abort', kill);
  });
  const resources = owned.move();
  return {
    input: child.stdin,
    output: child.stdout,
    async finish() {
      const [code] = await ended.catch((cause: unknown) => {
        throw new ApiError('backup_error', { cause, internal: 'restic cannot be started: is it installed?' });
      });
      signal.throwIfAborted();
      if (code !== 0) throw resticError(errorText());
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Runs restic without input and returns its output. */
export async function runRestic(target: ResticTarget, args: readonly string[], signal: AbortSignal): Promise<string> {
  await using restic = await startRestic(target, args, signal);
  restic.input.end();
  const chunks: Buffer[] = [];
  for await (const chunk of restic.output as AsyncIterable<Buffer>) chunks.push(chunk);
  await restic.finish();
  return Buffer.concat(chunks).toString();
}

function collectEnd({ stderr }: ChildProcessByStdio<Writable, Readable, Readable>): () => string {
  let text = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-maxErrorBytes)));
  return () => text.trim();
}

const lockedPattern = /already locked/i;
const unreachablePatterns = [
  /unable to start the sftp session/i,
  /connection (refused|reset|timed out|closed)/i,
  /no route to host|network is unreachable|i\/o timeout|no such host|could not resolve|broken pipe|unexpected EOF/i,
  /context deadline exceeded|dial tcp/i,
  // By a process on another machine, whose lock is stale only after a while.
  lockedPattern,
];

/** Restic has no error codes, only exit status 1 and a message. */
function resticError(text: string): ApiError {
  const isUnreachable = unreachablePatterns.some((pattern) => pattern.test(text));
  return new ApiError(isUnreachable ? 'backup_unreachable' : 'backup_error', { internal: `restic: ${text}` });
}

/** True if another process has locked the repository, or one that died has left its lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof ApiError && lockedPattern.test(error.internal ?? '');
}

interface Access {
  readonly environment: Record<string, string>;
  readonly options: readonly string[];
}

async function prepareAccess(
  settings: RepositorySettings,
  { name }: RepositoryAccess,
  owned: AsyncDisposableStack,
): Promise<Access> {
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: process.env['HOME'] ?? '/nonexistent',
    // Certificate authorities, if they are not those of the system.
    ...(process.env['SSL_CERT_FILE'] !== undefined && { SSL_CERT_FILE: process.env['SSL_CERT_FILE'] }),
  };
  const path = posix.join(settings.path, name);
  switch (settings.driver) {
    case 's3':
      environment['RESTIC_REPOSITORY'] = `s3:${settings.url}${posix.join('/', path)}`;
      environment['AWS_ACCESS_KEY_ID'] = settings.accessKeyId ?? '';
      environment['AWS_SECRET_ACCESS_KEY'] = settings.secretAccessKey ?? '';
      if (settings.region !== undefined) environment['AWS_DEFAULT_REGION'] = settings.region;
      return { environment, options: [] };
    case 'sftp':
      environment['RESTIC_REPOSITORY'] = `sftp:${settings.user}@${settings.host}:${path}`;
      return { environment, options: ['-o', `sftp.command=${await sshCommand(settings, owned)}`] };
    default:
      environment['RESTIC_REPOSITORY'] = path;
      return { environment, options: [] };
  }
}

/** ssh reads keys from files only. They are private, and removed with the process. */
async function sshCommand(settings: RepositorySettings, owned: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostyard-backup-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const { host = '', port = 22, user = '', key = '', hostKey = '' } = settings;
  const [keyFile, hostsFile] = [join(folder, 'key'), join(folder, 'hosts')];
  await writeFile(keyFile, `${key.trim()}\n`, { mode: 0o600 });
  await writeFile(hostsFile, `[${host}]:${port} ${hostKey}\n${host} ${hostKey}\n`, { mode: 0o600 });
  const options = [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${hostsFile}`,
    'GlobalKnownHostsFile=/dev/null',
    `ConnectTimeout=${connectSeconds}`,
    'ServerAliveInterval=15',
  ];
  const flags = options.map((option) => `-o ${option}`).join(' ');
  return `ssh -F /dev/null -i ${keyFile} -p ${port} ${flags} ${user}@${host} -s sftp`;
}
