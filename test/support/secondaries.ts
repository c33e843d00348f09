// Real secondaries of a primary name server, each configured as docs/guides/dns.md says: NSD with a list of zones, Knot
// and PowerDNS with the catalog zone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { freePort } from './ports.ts';
import { startPowerDns } from './powerdns.ts';
import { withResources } from './resources.ts';

export interface Primary {
  readonly address: string;
  readonly port: number;
  readonly catalog: string;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
}

export interface Secondary extends AsyncDisposable {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Ends it with SIGKILL and starts it again with the same data. */
  killAndRestart(): Promise<void>;
  output(): string;
}

type Listen = Pick<Secondary, 'address' | 'port'>;

async function startConfigured(
  name: string,
  args: (folder: string) => string[],
  config: (listen: Listen, folder: string) => string,
  ready: string,
): Promise<Secondary> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder(name)).path;
  const listen = { address: '127.0.0.1', port: await freePort() };
  await writeFile(join(folder, 'config'), config(listen, folder));
  let daemon: Daemon;
  let earlierOutput = '';
  owned.defer(() => daemon?.stop());
  const start = async () => {
    daemon = await startDaemon(name, args(folder), { cwd: folder });
    await daemon.printed(ready);
  };
  await start();
  return withResources<Secondary>(owned, {
    name,
    ...listen,
    output: () => earlierOutput + daemon.output(),
    async killAndRestart() {
      await daemon.stop('SIGKILL');
      earlierOutput += daemon.output();
      await start();
    },
  });
}

export function startNsd(primary: Primary, zones: readonly string[]): Promise<Secondary> {
  const { address, port, key } = primary;
  return startConfigured(
    'nsd',
    (folder) => ['-d', '-V', '2', '-c', join(folder, 'config')],
    (listen, folder) =>
      [
        'server:',
        `  ip-address: ${listen.address}@${listen.port}`,
        '  username: ""',
        '  database: ""',
        `  zonesdir: ${folder}`,
        `  pidfile: ${folder}/nsd.pid`,
        `  xfrdfile: ${folder}/xfrd.state`,
        `  xfrdir: ${folder}`,
        `  zonelistfile: ${folder}/zone.list`,
        '  xfrd-reload-timeout: 0',
        '  server-count: 1',
        'remote-control:',
        '  control-enable: no',
        'key:',
        `  name: ${key.name}`,
        `  algorithm: ${key.algorithm}`,
        `  secret: ${key.secret}`,
        ...zones.flatMap((zone) => [
          'zone:',
          `  name: ${zone}`,
          `  zonefile: ${zone}.zone`,
          `  request-xfr: ${address}@${port} ${key.name}`,
          `  allow-notify: ${address} ${key.name}`,
          '  provide-xfr: 127.0.0.1 NOKEY',
        ]),
        '',
      ].join('\n'),
    'nsd started',
  );
}

export function startKnot(primary: Primary): Promise<Secondary> {
  const { address, port, key, catalog } = primary;
  return startConfigured(
    'knotd',
    (folder) => ['-c', join(folder, 'config')],
    (listen, folder) =>
      [
        'server:',
        `  listen: ${listen.address}@${listen.port}`,
        `  rundir: ${folder}`,
        'log:',
        '  - target: stdout',
        '    any: info',
        'database:',
        `  storage: ${folder}`,
        'key:',
        `  - id: ${key.name}`,
        `    algorithm: ${key.algorithm}`,
        `    secret: ${key.secret}`,
        'remote:',
        '  - id: hostyard',
        `    address: ${address}@${port}`,
        `    key: ${key.name}`,
        'acl:',
        '  - id: notify',
        `    address: ${address}`,
        `    key: ${key.name}`,
        '    action: notify',
        '  - id: transfer',
        '    address: 127.0.0.1',
        '    action: transfer',
        'template:',
        '  - id: default',
        `    storage: ${folder}`,
        '    master: hostyard',
        '    acl: [notify, transfer]',
        '  - id: member',
        `    storage: ${folder}`,
        '    master: hostyard',
        '    acl: [notify, transfer]',
        'zone:',
        `  - domain: ${catalog}`,
        '    catalog-role: interpret',
        '    catalog-template: member',
        '',
      ].join('\n'),
    'server started',
  );
}

/** PowerDNS 4.7 transfers the members of a catalog without a key, so the primary must know its address. */
export const powerDnsAddress = '127.0.0.9';

export async function startPowerDnsSecondary({ address, port, catalog }: Primary): Promise<Secondary> {
  const server = await startPowerDns([
    'secondary=yes',
    'xfr-cycle-interval=1',
    'zone-cache-refresh-interval=1',
    'allow-axfr-ips=127.0.0.1',
    `query-local-address=${powerDnsAddress}`,
  ]);
  await server.util('create-secondary-zone', catalog, `${address}:${port}`);
  await server.util('set-kind', catalog, 'consumer');
  return {
    name: 'pdns_server',
    address: server.address,
    port: server.port,
    output: () => '',
    async killAndRestart() {
      await server.kill();
      await server.restart();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
