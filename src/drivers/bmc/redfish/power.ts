// Power over Redfish: what the service says of it, and the kinds of reset that it lists.
import { Fault } from '#kernel/fault.ts';
import { missing, type Power, type PowerState } from '../driver.ts';
import { told } from './error.ts';
import { textIn } from './json.ts';
import { actionOf, allowedValues, shows, type RedfishService } from './service.ts';

/** What every service is to have, for those that do not list it. */
const usual = ['On', 'ForceOff', 'ForceRestart', 'GracefulShutdown'];
const states: Readonly<Record<string, PowerState | 'changing'>> = {
  On: 'on',
  Off: 'off',
  PoweringOn: 'changing',
  PoweringOff: 'changing',
};

export function powerOf(service: RedfishService): Power {
  async function look(signal: AbortSignal): Promise<PowerState | 'changing'> {
    const { body } = await service.system(signal);
    const state = states[textIn(body, 'PowerState') ?? ''];
    // Neither on nor off is not for us to guess.
    if (state === undefined)
      throw new Fault('bmc_error', { message: 'The controller does not say whether the server is on.' });
    return state;
  }

  /** A change that is under way is waited for: what it ends in is the state. */
  async function stateOf(signal: AbortSignal): Promise<PowerState> {
    let state: PowerState | 'changing' = 'changing';
    const settled = async (): Promise<boolean> => (state = await look(signal)) !== 'changing';
    await shows(settled, signal, 'The power of the server is just changing. Look again in a moment.');
    return state as PowerState;
  }

  async function reset(preferred: readonly string[], signal: AbortSignal): Promise<void> {
    const action = actionOf(await service.system(signal), 'ComputerSystem.Reset');
    if (action === undefined) throw missing('power');
    const allowed = (await allowedValues(service.client, action, 'ResetType', signal)) ?? usual;
    const type = preferred.find((each) => allowed.includes(each));
    if (type === undefined) throw missing('power', { internal: `it takes none of ${preferred.join(', ')}` });
    await service.client.post(action.target, { ResetType: type }, signal);
  }

  return {
    state: (signal) => told('power', () => stateOf(signal)),
    set: (state, signal) =>
      told('power', async () => {
        if ((await stateOf(signal)) === state) return;
        await reset(state === 'on' ? ['On', 'ForceOn'] : ['ForceOff'], signal);
        await shows(
          async () => (await look(signal)) === state,
          signal,
          'The controller took the command, but the power has not followed. Look at the power state again.',
        );
      }),
    reset: (signal) =>
      told('power', async () => {
        if ((await stateOf(signal)) === 'off')
          throw new Fault('state_conflict', { message: 'The device is off: there is nothing to reset.' });
        await reset(['ForceRestart'], signal);
      }),
    requestShutdown: (signal) => told('power', () => reset(['GracefulShutdown', 'PushPowerButton'], signal)),
  };
}
