// Boots a dedicated server into the rescue system and back.
import { Group, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useChange, useRead } from '../../../data/operations.ts';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { QueryResult } from '../../../parts/query-result.tsx';
import { useFormFields } from '../../../parts/form-fields.ts';
import { NewSecretDialog } from '../../../parts/new-secret.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { serverName, useUnavailableReason, type ServerInfo } from '../device.ts';
import { noSshKeys, SshKeyFields, sshKeyInput } from './ssh-key-fields.tsx';
import { SectionCard } from '../section-card.tsx';
import { isCancellable, parseReloadStatus } from './reload-progress.ts';
import { t, tData } from '../../../text/text.ts';

const refetchMs = 10_000;

export function RescueCard({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const { service } = device;
  const status = useRead('deviceRescueStatus', { service }, { refetchMs });
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const start = useChange('deviceRescueStart', { invalidates: ['deviceRescueStatus', 'deviceReloadStatus'] });
  const end = useChange('deviceRescueEnd', { successMessage: t('Booting from disk') });
  const fields = useFormFields(noSshKeys);
  const [password, setPassword] = useState('');
  const startRescue = async (): Promise<void> => {
    try {
      setPassword(await start.mutateAsync({ service, ...sshKeyInput(fields.values) }));
    } catch (error) {
      if (!(error instanceof HostyardError) || !('sshkeys' in error.errors)) throw error;
      fields.showError(error);
    }
  };
  return (
    <SectionCard
      title={t('Rescue system')}
      description={t(
        'A minimal system that runs in memory, for repairing a server that does not boot. The disks are not changed.',
      )}
      controls={status.data === undefined ? null : <RescueBadge status={status.data} />}
    >
      <QueryResult query={status} lines={2}>
        {(text) => {
          const progress = parseReloadStatus(text);
          const isOn = progress.state === 'Active' || isCancellable(progress);
          return (
            <>
              {!isOn && (
                <Stack gap="sm" mb="sm">
                  <SshKeyFields
                    fields={fields}
                    label={t('SSH keys for the rescue system')}
                    description={t(
                      'One per line. Without a key, sign in with the password shown after the boot starts.',
                    )}
                  />
                </Stack>
              )}
              <Group gap="xs">
                <ConfirmButton
                  variant="default"
                  disabledReason={
                    unavailableReason ?? (isOn ? t('The rescue system is already running or starting.') : undefined)
                  }
                  question={t('Boot {name} into the rescue system?', { name: serverName(device) })}
                  consequence={t('The server restarts immediately. Unsaved data is lost.')}
                  confirmLabel={t('Boot rescue system')}
                  onConfirm={startRescue}
                />
                <ConfirmButton
                  variant="default"
                  disabledReason={unavailableReason ?? (isOn ? undefined : t('The rescue system is not running.'))}
                  question={t('Exit the rescue system on {name}?', { name: serverName(device) })}
                  consequence={t(
                    'The server restarts and boots from its disk. Files kept in the memory of the rescue system are lost.',
                  )}
                  confirmLabel={t('Exit rescue system')}
                  onConfirm={() => end.mutateAsync({ service })}
                />
              </Group>
            </>
          );
        }}
      </QueryResult>
      <NewSecretDialog
        title={t('Booting the rescue system')}
        label={t('Root password for the rescue system')}
        secret={password}
        onDone={() => setPassword('')}
      />
    </SectionCard>
  );
}

function RescueBadge({ status }: { status: string }): JSX.Element {
  const { reason } = parseReloadStatus(status);
  return <StateBadge state={status} label={reason === '' ? tData(status) : `${tData('Failed')}: ${tData(reason)}`} />;
}
