// Whether a device is on, and when that was seen: an old answer is never passed off as a new one.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { DeviceState } from '#sdk/v2.ts';
import { Moment } from '../../parts/moment.tsx';
import classes from './power-state.module.css';

const words = { on: 'On', off: 'Off', unknown: 'Unknown' } as const;

export function PowerSign({ power }: { power: DeviceState['power'] }): JSX.Element {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <span className={classes['sign']} data-power={power} aria-hidden="true" />
      <Text span inherit fw={600}>
        {words[power]}
      </Text>
    </Group>
  );
}

export function PowerSeen({ state }: { state: DeviceState | undefined }): JSX.Element {
  if (state === undefined) return <Text c="dimmed">—</Text>;
  return (
    <div>
      <PowerSign power={state.power} />
      <Text size="xs" c="dimmed">
        {state.seen === '' ? (
          'not seen yet'
        ) : (
          <>
            {state.power === 'unknown' ? 'last known ' : 'seen '}
            <Moment at={state.seen} ago />
          </>
        )}
      </Text>
    </div>
  );
}
