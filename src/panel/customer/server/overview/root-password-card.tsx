// Resets the root password. On a virtual machine it takes effect immediately; a dedicated server has to boot the rescue
// system first, and the new password is shown afterwards.
import { Group } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange } from '../../../data/operations.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { ErrorAlert } from '../../../parts/query-result.tsx';
import { NewSecretDialog } from '../../../parts/new-secret.tsx';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

export function RootPasswordCard({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const { service } = device;
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const reset = useChange('devicePasswordReset', {
    ...(!isVirtualMachine(device) && { successMessage: t('Password reset started') }),
    invalidates: ['actionList'],
  });
  const collect = useChange('devicePasswordCollect', { invalidates: ['auditGet'] });
  const [password, setPassword] = useState('');
  return (
    <SectionCard
      title={t('Root password')}
      description={
        isVirtualMachine(device)
          ? t('Sets a new password in the running system.')
          : t(
              'Sets a new password through the rescue system, which restarts the server twice. Show the new password once that is done.',
            )
      }
    >
      <Group gap="xs">
        <ConfirmButton
          variant="default"
          disabledReason={unavailableReason}
          question={t('Reset the root password of {name}?', { name: serverName(device) })}
          consequence={
            isVirtualMachine(device)
              ? t('The current password stops working.')
              : t(
                  'The server restarts into the rescue system and back, which takes a few minutes. The current password stops working.',
                )
          }
          confirmLabel={t('Reset password')}
          onConfirm={async () => setPassword(await reset.mutateAsync({ service }))}
        />
        {!isVirtualMachine(device) && (
          <ActionButton
            variant="default"
            disabledReason={unavailableReason}
            loading={collect.isPending}
            onClick={() => collect.mutate({ service }, { onSuccess: setPassword })}
          >
            {t('Show new password')}
          </ActionButton>
        )}
      </Group>
      {collect.isError && <ErrorAlert error={collect.error} />}
      <NewSecretDialog
        title={t('Root password of {name}', { name: serverName(device) })}
        label={t('Root password')}
        secret={password}
        onDone={() => setPassword('')}
      />
    </SectionCard>
  );
}
