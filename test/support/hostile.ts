// One server, an honest customer and a hostile one, both with ordinary keys. Callers are separate processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createKeyRow, defaultLimits } from '#app/account/keys.ts';
import { keyInsert } from '#store/account/keys.ts';
import type { AccountId } from '#store/account-id.ts';
import type { TestApp, TestAppOptions } from './app.ts';
import { largeZoneFile } from './dns-fixtures.ts';
import type { AttackName, CallerCounts, CallerSettings } from './hostile-caller.ts';
import { requestResult } from './request.ts';

/** Every address is trusted to report another, so that an attacker can have many. */
export const hostileOptions = {
  trustedProxies: ['127.0.0.1'],
  site: {
    nameserver: { names: ['ns1.example.net'], listen: '127.0.0.1:0', responsesPerSecond: 5 },
    // Nothing is sent: no jobs run.
    mail: {
      from: 'noreply@provider.example',
      url: 'https://provider.example',
      relays: [{ host: '127.0.0.1', port: 9, security: 'none' }],
    },
    signUp: { mode: 'open', terms: { version: '2026-11', url: 'https://provider.example/terms' } },
  },
} satisfies TestAppOptions;
const largestZone = 19_000;

export interface HostileFixture {
  /** Calls as the honest customer while the other work runs, and at least for this many seconds. */
  callHonestly(seconds: number, during?: Promise<unknown>): Promise<CallerCounts>;
  /** Attacks for this many seconds, and with at least this many calls. */
  attack(name: AttackName, seconds: number, calls: number): Promise<CallerCounts>;
}

export interface HostileSettings {
  /** Of the attacker's keys; those of any customer by default. */
  readonly limits?: typeof defaultLimits;
  /** The programs through which callers are started. */
  readonly through?: { readonly honest: readonly string[]; readonly hostile: readonly string[] };
}

export async function createHostileFixture(
  app: TestApp,
  { limits = defaultLimits, through = { honest: [], hostile: [] } }: HostileSettings = {},
): Promise<HostileFixture> {
  const { customer, stranger, dedicated } = app.lab;
  const common = { url: app.url, dns: app.dns, records: largestZone };
  const honest = {
    ...common,
    ...(await accountSettings(app, customer.key, 'honest.example.com')),
    keys: await createKeys(app, customer.account, 1, defaultLimits),
    server: dedicated.server,
    service: dedicated.service,
    address: dedicated.ips[0]!,
  };
  const hostile = {
    ...common,
    ...(await accountSettings(app, stranger.key, 'hostile.example.com')),
    server: 'dc01r02ds01',
    service: stranger.service,
    address: '203.0.113.20',
  };
  const params = { domain: hostile.zone.id, zonefile: largeZoneFile(largestZone) };
  await requestResult(app, 'POST', '/v2/dns/zonefile', { key: stranger.key, params });
  return {
    callHonestly: (seconds, during) =>
      runCaller(through.honest, { role: 'honest', seconds, calls: 10, ...honest }, during),
    async attack(role, seconds, calls) {
      // New ones, so that no attack is limited because of the one before.
      const keys = await createKeys(app, stranger.account, 4, limits);
      return runCaller(through.hostile, { role, seconds, calls, ...hostile, keys });
    },
  };
}

async function accountSettings(
  app: TestApp,
  key: string,
  name: string,
): Promise<Pick<CallerSettings, 'zone' | 'invoice'>> {
  const id = await requestResult<string>(app, 'POST', '/v2/dns/domain', { key, params: { domain: name } });
  const [invoice] = await requestResult<{ id: string }[]>(app, 'GET', '/v2/account/invoice', { key });
  return { zone: { id, name }, invoice: invoice!.id };
}

async function createKeys(
  { parts }: TestApp,
  account: string,
  count: number,
  limits: typeof defaultLimits,
): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) =>
    createKeyRow(Number(account) as AccountId, parts.clock.now(), {
      name: `key ${index}`,
      scopes: ['all'],
      limits,
      expiresAt: null,
    }),
  );
  for (const { row } of keys) await keyInsert(parts.store.queries, row);
  return keys.map(({ text: key }) => key);
}

async function runCaller(
  through: readonly string[],
  settings: CallerSettings,
  during?: Promise<unknown>,
): Promise<CallerCounts> {
  const file = join(import.meta.dirname, 'hostile-caller.ts');
  const [program, ...args] = [...through, process.execPath, file, JSON.stringify(settings)];
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const printed = text(child.stdout);
  await during;
  child.stdin.end();
  await once(child, 'exit');
  return JSON.parse(await printed) as CallerCounts;
}
