// Enables and disables the tunnel devices of a virtual machine.
import { Group, Text } from '@mantine/core';
import type { JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useChange, useRead } from '../../../data/operations.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ErrorAlert } from '../../../parts/query-result.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

/** Renders nothing for a machine whose hypervisor does not manage them. */
export function TunCard({ server }: { server: ServerInfo }): JSX.Element | null {
  const { service } = server.device;
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const tun = useRead('deviceTunGet', { service });
  const change = useChange('deviceTunSet', { invalidates: ['deviceTunGet', 'auditGet'] });
  const error = change.error ?? tun.error;
  if (tun.error instanceof HostyardError && tun.error.code === 'capability_missing') return null;
  if (tun.data === undefined && error === null) return null;
  const isEnabled = tun.data?.state === 'enabled';
  return (
    <SectionCard
      title={t('Tunnel devices')}
      description={t('For VPNs and other tunnels in the machine (TUN/TAP).')}
      controls={tun.data && <StateBadge state={isEnabled ? 'Enabled' : 'Disabled'} />}
    >
      <div aria-live="polite">
        {tun.data?.effect === 'next start' && (
          <Text size="sm" mb="sm">
            {isEnabled
              ? t('Takes effect from the next start. Until then, the running system has them disabled.')
              : t('Takes effect from the next start. Until then, the running system has them enabled.')}
          </Text>
        )}
      </div>
      {tun.data && (
        <Group>
          <ActionButton
            variant="default"
            disabledReason={unavailableReason}
            loading={change.isPending}
            onClick={() => change.mutate({ service, action: isEnabled ? 'disable' : 'enable' })}
          >
            {isEnabled ? t('Disable tunnel devices') : t('Enable tunnel devices')}
          </ActionButton>
        </Group>
      )}
      {error !== null && <ErrorAlert error={error} />}
    </SectionCard>
  );
}
