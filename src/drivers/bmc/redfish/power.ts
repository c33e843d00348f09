// Power over Redfish, using the reset types that the service lists.
import { ApiError, conflict } from '#lib/api-error.ts';
import { missingCapability, type Power, type PowerState } from '../driver.ts';
import { waitUntilShown } from '../wait-until-shown.ts';
import { withApiErrors } from './error.ts';
import { getText } from './json.ts';
import { allowedResetTypes, findAction, type RedfishService } from './service.ts';

/** For services that do not list their reset types. */
const defaultResetTypes = ['On', 'ForceOff', 'ForceRestart', 'GracefulShutdown'];
const states: Readonly<Record<string, PowerState | 'changing'>> = {
  On: 'on',
  Off: 'off',
  PoweringOn: 'changing',
  PoweringOff: 'changing',
};

export function createPower(service: RedfishService): Power {
  async function readState(signal: AbortSignal): Promise<PowerState | 'changing'> {
    const { body } = await service.system(signal);
    const state = states[getText(body, 'PowerState') ?? ''];
    // Other states must not be guessed as on or off.
    if (state === undefined)
      throw new ApiError('bmc_error', { message: 'The BMC does not report whether the server is on.' });
    return state;
  }

  /** Waits until a pending change of power has completed. */
  async function readSettledState(signal: AbortSignal): Promise<PowerState> {
    let state: PowerState | 'changing' = 'changing';
    const hasSettled = async (): Promise<boolean> => (state = await readState(signal)) !== 'changing';
    await waitUntilShown(hasSettled, signal, 'The server is changing its power state. Check again in a moment.');
    return state as PowerState;
  }

  async function reset(preferred: readonly string[], signal: AbortSignal): Promise<void> {
    const action = findAction(await service.system(signal), 'ComputerSystem.Reset');
    if (action === undefined) throw missingCapability('power');
    const allowed = (await allowedResetTypes(service.client, action, signal)) ?? defaultResetTypes;
    const type = preferred.find((candidate) => allowed.includes(candidate));
    if (type === undefined)
      throw missingCapability('power', { internal: `none of ${preferred.join(', ')} is supported` });
    await service.client.post(action.target, { ResetType: type }, signal);
  }

  return withApiErrors<Power>('power', {
    state: readSettledState,
    async set(state, signal) {
      if ((await readSettledState(signal)) === state) return;
      await reset(state === 'on' ? ['On', 'ForceOn'] : ['ForceOff'], signal);
      await waitUntilShown(
        async () => (await readState(signal)) === state,
        signal,
        'The BMC accepted the command, but the power state did not change. Check the power state.',
      );
    },
    async reset(signal) {
      if ((await readSettledState(signal)) === 'off') throw conflict('The device is off: there is nothing to reset.');
      await reset(['ForceRestart'], signal);
    },
    requestShutdown: (signal) => reset(['GracefulShutdown', 'PushPowerButton'], signal),
  });
}
