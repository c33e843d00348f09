// OpenStack Swift with its S3 API, over TLS: a proxy in front of three storage servers with one folder.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { needsRoot, type SuiteOptions } from './needs.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const servers = ['account', 'container', 'object'] as const;

export interface Swift extends AsyncDisposable {
  /** Of a bucket that does not exist yet. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The file with its certificate. */
  readonly certificate: string;
  stop(): Promise<void>;
}

export function needsSwift(): SuiteOptions {
  const programs = [...servers, 'proxy'].map((server) => `swift-${server}-server`);
  return needsRoot('restic', 'openssl', 'swift-ring-builder', ...programs);
}

export async function startSwift(): Promise<Swift> {
  await using owned = new AsyncDisposableStack();
  const { path } = owned.use(await temporaryFolder('swift'));
  const at = (name: string) => join(path, name);
  await mkdir(at('devices/one'), { recursive: true });
  await writeFile(at('swift.conf'), iniText({ 'swift-hash': { swift_hash_path_suffix: 'tests' } }));
  const common = { bind_ip: '127.0.0.1', swift_dir: path, user: 'root', workers: '0', log_level: 'ERROR' };
  const start = async (server: string, own: Record<string, string>, sections: Sections) => {
    await writeFile(at(`${server}.conf`), iniText({ DEFAULT: { ...common, ...own }, ...sections }));
    return owned.use(await startDaemon(`swift-${server}-server`, [at(`${server}.conf`)]));
  };
  for (const server of servers) {
    const port = await freePort();
    const rings = (...args: string[]) => run('swift-ring-builder', [at(`${server}.builder`), ...args]);
    await rings('create', '4', '1', '1');
    await rings('add', `r1z1-127.0.0.1:${port}/one`, '1');
    await rings('rebalance');
    const own = { bind_port: String(port), devices: at('devices'), mount_check: 'false', recon_cache_path: path };
    const app = `${server}-server`;
    await start(server, own, {
      'pipeline:main': { pipeline: app },
      [`app:${app}`]: { use: `egg:swift#${server}` },
    });
  }
  const names = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', at('key.pem'), '-out', at('certificate.pem')];
  await run('openssl', [...names.split(' '), ...files]);
  const port = await freePort();
  const own = { bind_port: String(port), cert_file: at('certificate.pem'), key_file: at('key.pem') };
  const proxy = await start('proxy', own, {
    'pipeline:main': { pipeline: 'catch_errors cache s3api tempauth proxy-server' },
    'app:proxy-server': { use: 'egg:swift#proxy', account_autocreate: 'true' },
    'filter:catch_errors': { use: 'egg:swift#catch_errors' },
    // Nothing listens there: it works without a cache.
    'filter:cache': { use: 'egg:swift#memcache', memcache_servers: '127.0.0.1:1' },
    'filter:s3api': { use: 'egg:swift#s3api' },
    'filter:tempauth': { use: 'egg:swift#tempauth', user_backups_hostyard: 'secret .admin' },
  });
  await until(() => isListening(port), { saw: proxy.output, patienceMs: 60_000 });
  return withResources(owned, {
    url: `https://localhost:${port}/backups`,
    accessKeyId: 'backups:hostyard',
    secretAccessKey: 'secret',
    certificate: at('certificate.pem'),
    stop: () => proxy.stop(),
  });
}

type Sections = Readonly<Record<string, Readonly<Record<string, string>>>>;

function iniText(sections: Sections): string {
  const lines = Object.entries(sections).flatMap(([name, settings]) => [
    `[${name}]`,
    ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Whatever it responds. */
async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(true);
    })
      .on('error', () => resolve(false))
      .end();
  });
}
