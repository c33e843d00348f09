// A badge while a dedicated server runs the rescue system.
import { Badge } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { isVirtualMachine, type ServerInfo } from '../device.ts';
import { t } from '../../../text/text.ts';

export function RescueBadge({ server: { device } }: { server: ServerInfo }): JSX.Element | null {
  const isPossible = !isVirtualMachine(device) && device.status !== 'Terminated';
  const { data } = useRead('deviceFactsGet', { service: device.service }, { enabled: isPossible });
  if (data?.rescue !== '1') return null;
  return (
    <Badge color="orange" variant="light">
      {t('Rescue system')}
    </Badge>
  );
}
