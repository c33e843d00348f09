// What one looks at first: power, what runs, and the few things that are changed most.
import { Alert, Grid, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../../shell/icons.tsx';
import { BootCard } from './boot-card.tsx';
import { isMachine, type ShownDevice } from './device.ts';
import { NameCard } from './name-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PowerCard } from './power-card.tsx';
import { ResourceCard } from './resource-card.tsx';
import { ActionsCard } from './actions-card.tsx';

export function OverviewTab({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device, state } = shown;
  const isHeld = state !== undefined && state.reason !== '' && state.health !== 'Waiting';
  return (
    <Stack>
      {isHeld && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={state.health}>
          {state.reason}
        </Alert>
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <PowerCard shown={shown} />
            {isMachine(device) && <ResourceCard service={device.service} />}
            <ActionsCard service={device.service} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <BootCard shown={shown} />
            <NameCard shown={shown} />
            <PasswordCard shown={shown} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
