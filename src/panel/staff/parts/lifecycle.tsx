// The state of a server between customers, with what to do if it is in quarantine.
import { Alert, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { reclaimSteps, type ServerState } from '#contract/states/servers.ts';
import { useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { Facts } from '../../parts/facts.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QuarantineActions } from './quarantine.tsx';
import { t, tData } from '../../text/text.ts';

const lifecycleNames = {
  available: t('Available'),
  assigned: t('Assigned'),
  reclaiming: t('Being erased'),
  quarantined: t('Quarantined'),
} as const satisfies Record<ServerState, string>;
/** States with the colours that ours should have. */
const likeStates = {
  available: 'available',
  assigned: 'assigned',
  reclaiming: 'running',
  quarantined: 'failed',
} as const;

export interface LifecycleProps {
  readonly name: string;
  readonly detail: { readonly alias: string; readonly state: ServerState } | undefined;
}

export function Lifecycle({ name, detail }: LifecycleProps): JSX.Element {
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  const quarantined = fleet.data?.quarantined.find(({ server }) => server === name);
  return (
    <>
      {detail !== undefined && (
        <Facts
          facts={[
            [t('Legacy name'), detail.alias === name ? '' : detail.alias],
            [
              t('Lifecycle'),
              <StateBadge key="state" state={likeStates[detail.state]} label={lifecycleNames[detail.state]} />,
            ],
          ]}
        />
      )}
      {quarantined !== undefined && (
        <Alert
          color="orange"
          variant="light"
          title={t('Failed: {step}', { step: tData(reclaimSteps[quarantined.step]) })}
        >
          <Stack gap="sm">
            {quarantined.reason}
            <QuarantineActions {...quarantined} />
          </Stack>
        </Alert>
      )}
    </>
  );
}
