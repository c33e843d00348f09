// The power state and when it was last checked, so that an old state is never mistaken for a current one.
import { Group, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import classes from './power-state.module.css';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

const labels = { on: t('On'), off: t('Off'), unknown: t('Unknown') };

export function PowerIndicator({ power }: { power: DeviceState['power'] }): JSX.Element {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <span className={classes['indicator']} data-power={power} aria-hidden="true" />
      <Text span inherit fw={600}>
        {labels[power]}
      </Text>
    </Group>
  );
}

export function LastKnownPower({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <Text c="dimmed">—</Text>;
  return (
    <div>
      <PowerIndicator power={state.power} />
      <Dimmed size="xs">{state.seen === '' ? t('Not checked yet') : checkedLine(state)}</Dimmed>
    </div>
  );
}

function checkedLine({ power, seen }: DeviceState): ReactNode {
  const time = <Timestamp at={seen} isRelative />;
  return power === 'unknown' ? rich('Last known {time}', { time }) : rich('Checked {time}', { time });
}
