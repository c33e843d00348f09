// The health of a device in one word, with the reason as a tooltip.
import { Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Icon, type IconName } from '../../shell/icons.tsx';
import classes from './health.module.css';
import { t } from '../../text/text.ts';

const signs: Record<DeviceState['health'], readonly [icon: IconName, colour: string]> = {
  Good: ['check', 'light-dark(var(--mantine-color-teal-8), var(--mantine-color-teal-5))'],
  Waiting: ['refresh', 'var(--mantine-color-dimmed)'],
  Unreachable: ['warning', 'light-dark(#b3450a, var(--mantine-color-orange-5))'],
  Maintenance: ['work', 'light-dark(var(--mantine-color-blue-8), var(--mantine-color-blue-4))'],
  Locked: ['key', 'light-dark(#b3450a, var(--mantine-color-orange-5))'],
};

const words: Record<DeviceState['health'], string> = {
  Good: t('Good'),
  Waiting: t('Waiting'),
  Unreachable: t('Unreachable'),
  Maintenance: t('Maintenance'),
  Locked: t('Locked'),
};

export function Health({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <span>—</span>;
  const [icon, colour] = signs[state.health];
  const word = (
    <span className={classes['health']}>
      <span className={classes['sign']} style={{ color: colour }}>
        <Icon name={icon} size={16} />
      </span>
      {words[state.health]}
    </span>
  );
  return state.reason === '' ? word : <Tooltip label={state.reason}>{word}</Tooltip>;
}
