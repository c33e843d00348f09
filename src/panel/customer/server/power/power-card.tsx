// The power state, queried from the device itself when the page opens and on request.
import { ActionIcon, Alert, Group, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { errorText } from '../../../parts/error-text.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { Icon } from '../../../shell/icons.tsx';
import type { ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { PowerButtons } from './power-controls.tsx';
import { LastKnownPower, PowerIndicator } from './power-state.tsx';
import type { PowerState } from './power-actions.ts';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

export function PowerCard({ server }: { server: ServerInfo }): JSX.Element {
  const query = useRead('devicePowerGet', { service: server.device.service });
  const power: PowerState = query.isError ? 'unknown' : (query.data ?? server.state?.power ?? 'unknown');
  return (
    <SectionCard
      title={t('Power')}
      controls={<CheckAgainButton isChecking={query.isFetching} check={() => void query.refetch()} />}
    >
      <div aria-live="polite">
        {query.data !== undefined && !query.isError ? (
          <div>
            <Text fz="lg" component="div">
              <PowerIndicator power={power} />
            </Text>
            <Dimmed size="xs">
              {rich('Checked {time}', {
                time: <Timestamp at={new Date(query.dataUpdatedAt).toISOString()} isRelative />,
              })}
            </Dimmed>
          </div>
        ) : (
          <LastKnownPower state={server.state} />
        )}
      </div>
      {query.isError && (
        <Alert color="orange" variant="light" mt="sm" icon={<Icon name="warning" />} role="alert">
          {t('Could not check the power state: {reason}', { reason: errorText(query.error).message })}
        </Alert>
      )}
      <Group gap="xs" mt="md">
        <PowerButtons server={server} power={power} />
      </Group>
    </SectionCard>
  );
}

function CheckAgainButton({ isChecking, check }: { isChecking: boolean; check: () => void }): JSX.Element {
  return (
    <Tooltip label={t('Check again')}>
      <ActionIcon variant="default" size="lg" onClick={check} loading={isChecking} aria-label={t('Check again')}>
        <Icon name="refresh" />
      </ActionIcon>
    </Tooltip>
  );
}
