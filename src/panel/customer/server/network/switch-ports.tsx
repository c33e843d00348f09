// The switch ports of a dedicated server, with their live state and a button to enable or disable each one.
import { Card, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { PortList } from '#sdk/legacy.ts';
import { useLegacyChange, useLegacyRead } from '../../../data/legacy.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { rateText } from '../../../parts/traffic-units.ts';
import { EmptyCard, QueryResult } from '../../../parts/query-result.tsx';
import { notifyError } from '../../../parts/notify-error.ts';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { t } from '../../../text/text.ts';

/** Unplugging a cable emits no event. */
const refetchMs = 30_000;

export interface SwitchPortsProps {
  /** The server's name in the legacy API. */
  readonly server: string;
  readonly hostname: string;
}

export function SwitchPorts({ server, hostname }: SwitchPortsProps): JSX.Element {
  const ports = useLegacyRead('portSet', { server }, { refetchMs });
  return (
    <QueryResult query={ports} lines={2}>
      {(list) => {
        const entries = Object.entries(list as PortList);
        if (entries.length === 0)
          return (
            <EmptyCard icon="server" title={t('No switch ports')}>
              {t('This server is not connected to a managed switch.')}
            </EmptyCard>
          );
        return (
          <Stack gap="sm">
            {entries.map(([id, port]) => (
              <Port key={id} server={server} hostname={hostname} id={id} port={port} isOnly={entries.length === 1} />
            ))}
          </Stack>
        );
      }}
    </QueryResult>
  );
}

interface PortProps extends SwitchPortsProps {
  readonly id: string;
  readonly port: PortList[string];
  readonly isOnly: boolean;
}

function Port({ server, hostname, id, port, isOnly }: PortProps): JSX.Element {
  const denial = useScopeDenial()('network:write');
  const name = port.name === '' ? t('Port {id}', { id }) : port.name;
  const change = useLegacyChange('portSet', { invalidates: ['legacy portSet', 'portGet', 'deviceHardwareGet'] });
  const isEnabled = port.ifAdminStatus === 'up';
  return (
    <Card>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <StateBadge state={isEnabled ? 'Enabled' : 'Disabled'} />
          </Group>
          <Dimmed className="numbers">
            {port.ifOperStatus === 'up'
              ? t('Link up, {rate}', { rate: rateText(Number(port.ifSpeed)) })
              : isEnabled && port.ifOperStatus === 'down'
                ? t('No link: check the cable and the network interface of the server')
                : t('No link')}
          </Dimmed>
        </div>
        {isEnabled ? (
          <ConfirmButton
            size="xs"
            variant="light"
            color="red"
            disabledReason={denial}
            loading={change.isPending}
            question={t('Disable {name}?', { name })}
            consequence={
              isOnly
                ? t(
                    '{hostname} goes offline immediately, including your own connection to it, until the port is enabled again. The console keeps working.',
                    { hostname },
                  )
                : t(
                    '{hostname} loses this connection immediately, until the port is enabled again. Its other ports are not affected.',
                    { hostname },
                  )
            }
            confirmLabel={t('Disable port')}
            onConfirm={() => change.mutateAsync({ server, id, action: 'disable' })}
          >
            {t('Disable')}
          </ConfirmButton>
        ) : (
          <ActionButton
            size="xs"
            disabledReason={denial}
            loading={change.isPending}
            onClick={() => change.mutate({ server, id, action: 'enable' }, { onError: notifyError })}
          >
            {t('Enable')}
          </ActionButton>
        )}
      </Group>
    </Card>
  );
}
