// Settings of the process, read once from the environment. All problems are reported together, before anything starts.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}
export interface Config {
  readonly dataFolder: string;
  readonly listen: ListenAddress;
  /** A postgres:// address, or undefined for the SQLite file in the data folder. */
  readonly database: string | undefined;
  readonly siteFile: string | undefined;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** A second listener that serves only /metrics, without a key. The main listener always serves it to operator keys. */
  readonly metricsListen: ListenAddress | undefined;
  /** 32 bytes; undefined if the key is the file secret.key in the data folder. */
  readonly sealingKey: Buffer | undefined;
  readonly logLevel: string;
  /** How many of the backups made through the API are kept. */
  readonly backupsKept: number;
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const setting = (name: string): string | undefined => environment[name] || undefined;

  const listen = parseListenAddress('HOSTYARD_LISTEN', setting('HOSTYARD_LISTEN') ?? '127.0.0.1:8080', problems);
  const metrics = setting('HOSTYARD_METRICS_LISTEN');
  const database = setting('HOSTYARD_DATABASE');
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(database))
    problems.push('HOSTYARD_DATABASE must start with postgres://');
  const trustedProxies = (setting('HOSTYARD_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  for (const proxy of trustedProxies) {
    if (!ipaddr.isValid(proxy) && !ipaddr.isValidCIDR(proxy))
      problems.push(`HOSTYARD_TRUSTED_PROXIES: ${proxy} is not an address or network`);
  }
  const logLevel = setting('HOSTYARD_LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel)) problems.push(`HOSTYARD_LOG_LEVEL must be one of ${logLevels.join(', ')}`);

  const backupsKept = setting('HOSTYARD_BACKUPS_KEPT') ?? '14';
  if (!/^[1-9][0-9]{0,3}$/.test(backupsKept)) problems.push('HOSTYARD_BACKUPS_KEPT must be a number from 1 to 9999');

  const config: Config = {
    dataFolder: resolve(setting('HOSTYARD_DATA') ?? 'data'),
    listen,
    database,
    siteFile: setting('HOSTYARD_SITE'),
    trustedProxies,
    metricsListen: metrics === undefined ? undefined : parseListenAddress('HOSTYARD_METRICS_LISTEN', metrics, problems),
    sealingKey: readSealingKey(setting('HOSTYARD_SEALING_KEY_FILE'), problems),
    logLevel,
    backupsKept: Number(backupsKept),
  };
  if (problems.length > 0) throw new Error(['Invalid settings:', ...problems].join('\n  - '));
  return config;
}

/** Parses `host:port`, `[v6]:port` or a bare port. */
function parseListenAddress(name: string, text: string, problems: string[]): ListenAddress {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]+):)?([0-9]{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) {
    problems.push(`${name} must be host:port, such as 127.0.0.1:8080`);
    return { host: '127.0.0.1', port: 0 };
  }
  return { host: (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port };
}

/** Splits the text of a `listen` in the site file, which its schema has checked. */
export function splitListen(listen: string): ListenAddress {
  const colon = listen.lastIndexOf(':');
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) };
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readSealingKey(file: string | undefined, problems: string[]): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === 32) return key;
    problems.push('HOSTYARD_SEALING_KEY_FILE must hold 32 bytes in base64');
  } catch (error) {
    problems.push(`HOSTYARD_SEALING_KEY_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  return undefined;
}
