// Longer work in the words of the panel. What has none of its own is told by its name, taken apart.
import type { Action } from '#sdk/v2.ts';

const words: Readonly<Record<string, string>> = {
  devicePowerSet: 'Power command',
  deviceReloadStart: 'Installation',
  deviceRescueStart: 'Rescue system',
  deviceRescueEnd: 'End of the rescue system',
  devicePasswordReset: 'Root password reset',
  portEnable: 'Port switched on',
  portDisable: 'Port switched off',
  'site.apply': 'Set up by the provider',
};

export const isUnderWay = ({ status }: Pick<Action, 'status'>): boolean => status === 'Queued' || status === 'Running';

/** `v2.devicePowerSet`, as the audit log names it. */
export function actionWords(operation: string): string {
  const name = operation.replace(/^(?:v2|legacy|operator)\./, '');
  return words[operation] ?? words[name] ?? stepWords(name);
}

/** `powerOff` or `power-off`: Power off. */
export function stepWords(step: string): string {
  const spaced = step
    .replace(/[._-]/g, ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return spaced === '' ? '' : spaced[0]!.toUpperCase() + spaced.slice(1);
}
