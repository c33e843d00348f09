// The state of a server between customers, with what to do if it is in quarantine.
import { Alert, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { reclaimSteps, type ServerState } from '#contract/states/servers.ts';
import { useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { Facts } from '../../parts/facts.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QuarantineActions } from './quarantine.tsx';

const lifecycleNames = {
  available: 'Available',
  assigned: 'Assigned',
  reclaiming: 'Being erased',
  quarantined: 'Quarantined',
} as const satisfies Record<ServerState, string>;

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
            ['Legacy name', detail.alias === name ? '' : detail.alias],
            ['Lifecycle', <StateBadge key="state" state={lifecycleNames[detail.state]} />],
          ]}
        />
      )}
      {quarantined !== undefined && (
        <Alert color="orange" variant="light" title={`Failed: ${reclaimSteps[quarantined.step]}`}>
          <Stack gap="sm">
            {quarantined.reason}
            <QuarantineActions {...quarantined} />
          </Stack>
        </Alert>
      )}
    </>
  );
}
