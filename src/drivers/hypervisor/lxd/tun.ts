// Enables and disables tunnel devices in containers.
import type { TunEffect } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { runCommand } from './guest.ts';
import { powerState, profilePath, tunDevice } from './instances.ts';
import { ensureProfile, requireInstance } from './machines.ts';

/** From this exit status on, the shell could not be run. */
const shellFailed = 126;

export async function setTun(
  api: LxdApi,
  name: string,
  state: 'enabled' | 'disabled',
  signal: AbortSignal,
): Promise<TunEffect> {
  const { config, description = '', devices } = await ensureProfile(api, name, signal);
  // Earlier versions denied the device with a rule, which a running container keeps.
  const { 'raw.lxc': _, ...others } = config;
  const next = { config: others, description, devices: { ...devices, tun: tunDevice(state) } };
  await api.change('PUT', profilePath(name), signal, next);
  const instance = await requireInstance(api, name, signal);
  if (powerState(instance) === 'off') return 'now';
  const status = await runCommand(api, instance.name, ['sh', '-c', 'exec 3<>/dev/net/tun'], signal);
  const isUnknown = status >= shellFailed;
  return !isUnknown && (status === 0) === (state === 'enabled') ? 'now' : 'next start';
}
