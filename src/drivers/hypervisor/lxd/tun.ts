// Enables and disables tunnel devices in containers.
import type { TunState, TunStatus } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { inSystem, runCommand } from './guest.ts';
import { powerState, profilePath, tunDevice, tunState, type Instance } from './instances.ts';
import { ensureProfile, requireInstance } from './machines.ts';

/** From this exit status on, the shell could not be run. */
const shellFailed = 126;

export async function tunStatus(api: LxdApi, name: string, signal: AbortSignal): Promise<TunStatus> {
  const instance = await requireInstance(api, name, signal);
  const state = tunState(instance);
  return { state, effect: (await isInEffect(api, instance, state, signal)) ? 'now' : 'next start' };
}

export async function setTun(api: LxdApi, name: string, state: TunState, signal: AbortSignal): Promise<TunStatus> {
  const { config, description = '', devices } = await ensureProfile(api, name, signal);
  // Earlier versions denied the device with a rule, which a running container keeps.
  const { 'raw.lxc': _, ...others } = config;
  const next = { config: others, description, devices: { ...devices, tun: tunDevice(state) } };
  await api.change('PUT', profilePath(name), signal, next);
  return tunStatus(api, name, signal);
}

/** Opens the device in the container, because its configuration does not show what a running container got. */
async function isInEffect(api: LxdApi, instance: Instance, state: TunState, signal: AbortSignal): Promise<boolean> {
  if (powerState(instance) === 'off') return true;
  const opening = ['sh', '-c', 'exec 3<>/dev/net/tun'];
  const status = await inSystem(signal, (limit) => runCommand(api, instance.name, opening, limit));
  return status < shellFailed && (status === 0) === (state === 'enabled');
}
