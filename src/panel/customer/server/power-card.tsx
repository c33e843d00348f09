// The power of a server, asked of the server itself when its page is opened, and on request.
import { ActionIcon, Alert, Group, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Moment } from '../../parts/moment.tsx';
import { Icon } from '../../shell/icons.tsx';
import type { ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';
import { PowerButtons } from './power-menu.tsx';
import { PowerSeen, PowerSign } from './power-state.tsx';
import type { PowerState } from './power-table.ts';

export function PowerCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const asked = useRead('devicePowerGet', { service: shown.device.service });
  const power: PowerState = asked.isError ? 'unknown' : (asked.data ?? shown.state?.power ?? 'unknown');
  return (
    <PartCard title="Power" right={<AskAgain isAsking={asked.isFetching} ask={() => void asked.refetch()} />}>
      <div aria-live="polite">
        {asked.data !== undefined && !asked.isError ? (
          <div>
            <Text fz="lg" component="div">
              <PowerSign power={power} />
            </Text>
            <Text size="xs" c="dimmed">
              seen <Moment at={new Date(asked.dataUpdatedAt).toISOString()} ago /> by the device itself
            </Text>
          </div>
        ) : (
          <PowerSeen state={shown.state} />
        )}
      </div>
      {asked.isError && (
        <Alert color="orange" variant="light" mt="sm" icon={<Icon name="warning" />} role="alert">
          It did not say: {asked.error.message}
        </Alert>
      )}
      <Group gap="xs" mt="md">
        <PowerButtons shown={shown} power={power} />
      </Group>
    </PartCard>
  );
}

function AskAgain({ isAsking, ask }: { isAsking: boolean; ask: () => void }): JSX.Element {
  return (
    <Tooltip label="Ask the device again">
      <ActionIcon variant="default" size="lg" onClick={ask} loading={isAsking} aria-label="Ask the device again">
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
}
