// Instances on one PostgreSQL, each a process with the same site, which has one customer.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adaWithKey } from './customer-fixture.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { notDurable, startPostgres, type Postgres } from './postgres.ts';

export interface Instance {
  readonly daemon: Daemon;
  readonly url: URL;
}

export interface Instances {
  /** The customer's. */
  readonly key: string;
  readonly postgres: Postgres;
  /** Starts the program in the folder `version`, this one by default. */
  start(name: string, options?: { listen?: string; version?: string }): Promise<Instance>;
}

const root = join(import.meta.dirname, '..', '..');

export async function createInstances(owned: AsyncDisposableStack): Promise<Instances> {
  const folder = owned.use(await temporaryFolder('instances')).path;
  const postgres = owned.use(await startPostgres(notDurable));
  const database = await postgres.createDatabase();
  const { customer, key } = adaWithKey();
  const site = { provider: { name: 'Two', currency: { code: 'EUR' } }, customers: [customer] };
  writeFileSync(join(folder, 'site.yaml'), JSON.stringify(site), { mode: 0o600 });
  writeFileSync(join(folder, 'sealing.key'), randomBytes(32).toString('base64'), { mode: 0o600 });
  return {
    key,
    postgres,
    async start(name, { listen = '127.0.0.1:0', version = root } = {}) {
      const env = {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        HOSTYARD_DATA: join(folder, name),
        HOSTYARD_LISTEN: listen,
        HOSTYARD_DATABASE: database,
        HOSTYARD_SITE: join(folder, 'site.yaml'),
        HOSTYARD_SEALING_KEY_FILE: join(folder, 'sealing.key'),
        HOSTYARD_TRUSTED_PROXIES: '127.0.0.1',
      };
      const daemon = owned.use(await startDaemon(process.execPath, ['src/main.ts'], { cwd: version, env }));
      await daemon.printed('Reference');
      return { daemon, url: new URL(/API +(http:\S+)/.exec(daemon.output())![1]!) };
    },
  };
}
