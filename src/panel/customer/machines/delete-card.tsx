// Deletes a virtual machine, and protects it against that.
import { Group, Stack, Switch } from '@mantine/core';
import type { JSX } from 'react';
import { restorableHours } from '#contract/shapes/machine.ts';
import { useChange, useDeviceApi } from '../../data/operations.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';
import { SectionCard } from '../server/section-card.tsx';
import { t } from '../../text/text.ts';
import { useOwnMachine } from './own-machines.ts';

/** Not for staff, who terminate services. */
export function DeleteCard({ server }: { readonly server: ServerInfo }): JSX.Element | null {
  const { service, hostname } = server.device;
  const isCustomer = useDeviceApi().portal === 'customer';
  const machine = useOwnMachine(service, isCustomer);
  const unavailable = useUnavailableReason()(server, 'device:write');
  const invalidates = ['machineList'];
  const protect = useChange('machineProtectionSet', { successMessage: t('Protection changed'), invalidates });
  const remove = useChange('machineDelete', { successMessage: t('Machine deleted') });
  if (!isCustomer || machine === undefined || machine.deleted !== '') return null;
  const isProtected = machine.protection === 'enabled';
  return (
    <SectionCard title={t('Delete machine')}>
      <Stack gap="sm">
        <Switch
          label={t('Deletion protection')}
          description={t('While it is on, nobody can delete the machine.')}
          checked={isProtected}
          disabled={unavailable !== undefined || protect.isPending}
          onChange={({ currentTarget: { checked } }) => {
            protect.mutateAsync({ service, protection: checked ? 'enabled' : 'disabled' }).catch(notifyError);
          }}
        />
        <Group>
          <ConfirmButton
            variant="light"
            color="red"
            disabledReason={unavailable ?? (isProtected ? t('Turn off deletion protection first.') : undefined)}
            question={t('Delete {hostname}?', { hostname })}
            consequence={t(
              'The machine is powered off. You can restore it for {hours} hours, with its disk and addresses; then they are deleted. Its volumes stay, and are charged until you delete them. A period that is paid for and a minimum term are not refunded.',
              { hours: String(restorableHours) },
            )}
            confirmText={hostname}
            confirmLabel={t('Delete machine')}
            onConfirm={() => remove.mutateAsync({ service, hostname })}
          />
        </Group>
      </Stack>
    </SectionCard>
  );
}
