// Debian's OpenSSH server on its own port, which lets root in with one key, for SFTP only.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { needsRoot, type SuiteOptions } from './needs.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

export interface SftpServer extends AsyncDisposable {
  readonly port: number;
  readonly key: string;
  readonly hostKey: string;
  /** An empty folder on the server. */
  readonly path: string;
  stop(): Promise<void>;
}

export function needsSftp(): SuiteOptions {
  return needsRoot('restic', 'sshd', 'ssh-keygen', 'ssh');
}

export async function startSftpServer(): Promise<SftpServer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('sftp'));
  const at = (name: string) => join(folder.path, name);
  const createKey = (name: string) =>
    promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', at(name)]);
  await createKey('host');
  await createKey('client');
  await mkdir(at('files'));
  await mkdir('/run/sshd', { recursive: true });
  const port = await freePort();
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('client.pub')}`,
    `PidFile ${at('pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
    'ForceCommand internal-sftp',
  ];
  await writeFile(at('config'), `${settings.join('\n')}\n`);
  const daemon = owned.use(await startDaemon('sshd', ['-D', '-e', '-f', at('config')]));
  await until(() => daemon.output().includes('Server listening'));
  return withResources(owned, {
    port,
    key: await readFile(at('client'), 'utf8'),
    hostKey: (await readFile(at('host.pub'), 'utf8')).trim(),
    path: at('files'),
    stop: () => daemon.stop(),
  });
}
