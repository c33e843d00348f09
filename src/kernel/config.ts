// Settings of the process, read from the environment once. All faults are told together, before anything is started.
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
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** A second listener that has only /metrics and asks for no key. The main one has it always, with an operator's key. */
  readonly metricsListen: ListenAddress | undefined;
  /** 32 bytes under which secrets are sealed; undefined: the file secret.key in the data folder. */
  readonly sealingKey: Buffer | undefined;
  readonly logLevel: string;
  /** Of those taken through the API, the newest so many. */
  readonly backupsKept: number;
}

export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const setting = (name: string): string | undefined => environment[name] || undefined;

  const listen = listenAddress('HOSTYARD_LISTEN', setting('HOSTYARD_LISTEN') ?? '127.0.0.1:8080', faults);
  const metrics = setting('HOSTYARD_METRICS_LISTEN');
  const database = setting('HOSTYARD_DATABASE');
  if (database !== undefined && !/^postgres(ql)?:\/\//.test(database))
    faults.push('HOSTYARD_DATABASE must begin with postgres://');
  const trustedProxies = (setting('HOSTYARD_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  for (const proxy of trustedProxies) {
    if (!ipaddr.isValid(proxy) && !ipaddr.isValidCIDR(proxy))
      faults.push(`HOSTYARD_TRUSTED_PROXIES: ${proxy} is not an address or network`);
  }
  const logLevel = setting('HOSTYARD_LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel)) faults.push(`HOSTYARD_LOG_LEVEL must be one of ${logLevels.join(', ')}`);

  const backupsKept = setting('HOSTYARD_BACKUPS_KEPT') ?? '14';
  if (!/^[1-9][0-9]{0,3}$/.test(backupsKept)) faults.push('HOSTYARD_BACKUPS_KEPT must be a number from 1 to 9999');

  const config: Config = {
    dataFolder: resolve(setting('HOSTYARD_DATA') ?? 'data'),
    listen,
    database,
    siteFile: setting('HOSTYARD_SITE'),
    trustedProxies,
    metricsListen: metrics === undefined ? undefined : listenAddress('HOSTYARD_METRICS_LISTEN', metrics, faults),
    sealingKey: sealingKey(setting('HOSTYARD_SEALING_KEY_FILE'), faults),
    logLevel,
    backupsKept: Number(backupsKept),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** `host:port`, `[v6]:port` or a bare port. */
function listenAddress(name: string, text: string, faults: string[]): ListenAddress {
  const match = /^(?:(\[[0-9a-fA-F:.]+\]|[^:[\]]+):)?([0-9]{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) {
    faults.push(`${name} must be host:port, such as 127.0.0.1:8080`);
    return { host: '127.0.0.1', port: 0 };
  }
  return { host: (match[1] ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port };
}

function sealingKey(file: string | undefined, faults: string[]): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length === 32) return key;
    faults.push('HOSTYARD_SEALING_KEY_FILE must hold 32 bytes in base64');
  } catch (error) {
    faults.push(`HOSTYARD_SEALING_KEY_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  return undefined;
}
