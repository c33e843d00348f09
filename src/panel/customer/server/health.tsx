// The health of a device in one word, with the reason as the browser's tooltip, because a list has one in every row.
import type { JSX } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Icon, type IconName } from '../../shell/icons.tsx';
import classes from './health.module.css';
import { t, tData } from '../../text/text.ts';

const signs: Record<DeviceState['health'], readonly [icon: IconName, word: string]> = {
  Good: ['check', t('Good')],
  Waiting: ['refresh', t('Waiting')],
  Unreachable: ['warning', t('Unreachable')],
  Maintenance: ['work', t('Maintenance')],
  Locked: ['key', t('Locked')],
};

export function Health({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <span>—</span>;
  const [icon, word] = signs[state.health];
  return (
    <span className={classes['health']} data-health={state.health} title={tData(state.reason) || undefined}>
      <Icon name={icon} size={16} />
      {word}
    </span>
  );
}
