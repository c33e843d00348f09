// FastNetMon as a provider runs it: it receives sFlow, calls its notify script and stores its findings in Redis. It
// uses a random loopback address, so that its fixed ports never collide.
import { randomInt } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { withResources } from './resources.ts';

export interface Fastnetmon extends AsyncDisposable {
  readonly sflow: { readonly address: string; readonly port: number };
  readonly redis: { readonly url: string; readonly prefix: string };
  output(): string;
}

export interface FastnetmonOptions {
  readonly networks: readonly string[];
  /** The command that its notify script runs, to which the script's arguments are appended. */
  readonly notify: readonly string[];
}

const sflowPort = 6343;
const redisPort = 6379;
const prefix = 'hostyardtest';
const root = join(import.meta.dirname, '..', '..');

export async function startFastnetmon({ networks, notify }: FastnetmonOptions): Promise<Fastnetmon> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('fastnetmon')).path;
  const address = `127.${randomInt(64, 250)}.${randomInt(256)}.9`;
  const redis = owned.use(
    await startDaemon('redis-server', ['--bind', address, '--port', String(redisPort), '--save', '', '--dir', folder]),
  );
  await redis.printed('Ready to accept connections');
  const script = join(folder, 'notify.sh');
  const quoted = notify.map((word) => `'${word}'`).join(' ');
  await writeFile(script, `#!/bin/sh\ncd '${root}'\nexec ${quoted} "$@"\n`);
  await chmod(script, 0o755);
  await mkdir(join(folder, 'attacks'));
  await writeFile(join(folder, 'networks'), `${networks.join('\n')}\n`);
  await writeFile(join(folder, 'whitelist'), '');
  const file = join(folder, 'fastnetmon.conf');
  await writeFile(file, configuration(folder, address, script));
  const log = join(folder, 'log');
  const daemon = owned.use(
    await startDaemon('fastnetmon', ['--configuration_file', file, '--log_file', log, '--disable_pid_logic']),
  );
  return withResources(owned, {
    sflow: { address, port: sflowPort },
    redis: { url: `redis://${address}:${redisPort}`, prefix },
    output: () => daemon.output(),
  });
}

function configuration(folder: string, address: string, script: string): string {
  const settings: Record<string, string | number> = {
    enable_ban: 'on',
    enable_ban_ipv6: 'on',
    process_incoming_traffic: 'on',
    process_outgoing_traffic: 'on',
    enable_connection_tracking: 'on',
    monitor_local_ip_addresses: 'off',
    ban_details_records_count: 20,
    ban_time: 20,
    unban_only_if_attack_finished: 'on',
    average_calculation_time: 3,
    check_period: 1,
    ban_for_pps: 'on',
    ban_for_bandwidth: 'off',
    ban_for_flows: 'off',
    threshold_pps: 2000,
    sflow: 'on',
    sflow_host: address,
    sflow_port: sflowPort,
    mirror_afpacket: 'off',
    netflow: 'off',
    enable_api: 'off',
    networks_list_path: join(folder, 'networks'),
    white_list_path: join(folder, 'whitelist'),
    attack_details_folder: join(folder, 'attacks'),
    cli_stats_file_path: join(folder, 'stats'),
    cli_stats_ipv6_file_path: join(folder, 'stats6'),
    notify_script_path: script,
    notify_script_pass_details: 'on',
    redis_enabled: 'yes',
    redis_host: address,
    redis_port: redisPort,
    redis_prefix: prefix,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}
