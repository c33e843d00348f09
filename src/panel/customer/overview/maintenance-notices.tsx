// Announced maintenance that affects the customer's services, until it is over.
import { Alert, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { parseTimestamp, Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { rich } from '../../text/rich.ts';

const maxNames = 5;

export function MaintenanceNotices(): JSX.Element | null {
  const { data = [] } = useRead('maintenanceGet', {});
  const planned = data.filter(({ status, end }) => status === 'Announced' && Number(parseTimestamp(end)) > Date.now());
  if (planned.length === 0) return null;
  return (
    <Stack gap="sm" mb="md">
      {planned.map(({ id, title, text, start, end, services }) => (
        <Alert key={id} color="orange" variant="light" icon={<Icon name="wrench" />} title={title}>
          <Text size="sm">
            {rich('Maintenance from {start} to {end}', {
              start: <Timestamp at={start} />,
              end: <Timestamp at={end} />,
            })}
          </Text>
          <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-line' }}>
            {text}
          </Text>
          <Dimmed size="xs" className="wrap-anywhere">
            {services
              .slice(0, maxNames)
              .map(({ hostname }) => hostname)
              .join(', ')}
            {services.length > maxNames && ` +${services.length - maxNames}`}
          </Dimmed>
        </Alert>
      ))}
    </Stack>
  );
}
