// The state and size of a snapshot or image.
import { Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Result } from '../../data/operations.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { bytesText } from '../../parts/traffic-units.ts';
import { t, tData } from '../../text/text.ts';

type Snapshot = Result<'machineSnapshotList'>[number];

const stateLabels = {
  creating: t('Being created'),
  ready: t('Ready'),
  deleting: t('Being deleted'),
  failed: t('Failed'),
} as const;
const badgeStates = { creating: 'Running', ready: 'Available', deleting: 'Removing', failed: 'Failed' } as const;

export function CopyState({
  copy: { state, reason },
}: {
  readonly copy: Pick<Snapshot, 'state' | 'reason'>;
}): JSX.Element {
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={badgeStates[state]} label={stateLabels[state]} />
      {reason !== '' && <Text size="xs">{tData(reason)}</Text>}
    </Stack>
  );
}

export function copySize(size: string): string {
  return size === '' ? '–' : bytesText(Number(size));
}
