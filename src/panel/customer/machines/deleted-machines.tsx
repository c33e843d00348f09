// Machines that were deleted and can still be restored.
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { SectionCard } from '../server/section-card.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import type { OwnMachine } from './own-machines.ts';

const pageLength = 1000;

export function DeletedMachines(): JSX.Element | null {
  const { data = [] } = useRead('machineList', { limit: pageLength });
  const deleted = data.filter((machine) => machine.deleted !== '');
  if (deleted.length === 0) return null;
  return (
    <SectionCard title={t('Deleted machines')}>
      <Stack gap="xs">
        {deleted.map((machine) => (
          <Group key={machine.service} justify="space-between">
            <div>
              <Text fw={600} className="wrap-anywhere">
                {machine.hostname}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {restorableText(machine)}
              </Text>
            </div>
            <RestoreButton machine={machine} />
          </Group>
        ))}
      </Stack>
    </SectionCard>
  );
}

export function DeletedAlert({ machine }: { readonly machine: OwnMachine }): JSX.Element {
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('Deleted')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" component="div">
          {restorableText(machine)}
        </Text>
        <RestoreButton machine={machine} />
      </Stack>
    </Alert>
  );
}

function restorableText({ restorableto }: OwnMachine) {
  return rich('Can be restored until {time}; then its disk is deleted.', {
    time: <Timestamp at={restorableto} />,
  });
}

function RestoreButton({ machine: { service, hostname } }: { readonly machine: OwnMachine }): JSX.Element {
  const denial = useScopeDenial()('device:write');
  const restore = useChange('machineRestore', { successMessage: t('Machine restored') });
  return (
    <ConfirmButton
      isInRow
      color="brand"
      disabledReason={denial}
      aria-label={t('Restore {hostname}', { hostname })}
      question={t('Restore {hostname}?', { hostname })}
      consequence={t('It starts again if it was on, and is billed as before from now on.')}
      confirmLabel={t('Restore')}
      onConfirm={() => restore.mutateAsync({ service })}
    />
  );
}
