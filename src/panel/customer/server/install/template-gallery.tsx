// The operating systems available for a server, and the button that installs one.
import { Avatar, Card, Chip, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useChange, useRead } from '../../../data/operations.ts';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { useFormFields } from '../../../parts/form-fields.ts';
import { NewSecretDialog } from '../../../parts/new-secret.tsx';
import { serverName, useUnavailableReason, type ServerInfo } from '../device.ts';
import { groupByFamily, monogram, type TemplateFamily } from './template-families.ts';
import { noSshKeys, SshKeyFields, sshKeyInput } from './ssh-key-fields.tsx';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

export interface TemplateGalleryProps {
  readonly server: ServerInfo;
  /** Why nothing can be installed now; undefined if an installation can start. */
  readonly blockedReason: string | undefined;
  readonly onStarted?: () => void;
}

export function TemplateGallery({ server, blockedReason, onStarted }: TemplateGalleryProps): JSX.Element {
  const { device } = server;
  const { service } = device;
  const templates = useRead('deviceTemplateList', { service });
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  // Nothing else is reloaded before the password is shown: the server may not respond meanwhile.
  const start = useChange('deviceReloadStart', { invalidates: ['deviceReloadStatus', 'actionList'] });
  const fields = useFormFields({ value: '', ...noSshKeys });
  const [password, setPassword] = useState('');
  const { value } = fields.values;
  const name = templates.data?.find((template) => template.value === value)?.name;
  const install = async (): Promise<void> => {
    try {
      setPassword(await start.mutateAsync({ service, value, ...sshKeyInput(fields.values) }));
      onStarted?.();
      // The progress is shown above the gallery.
      scrollTo({ top: 0 });
    } catch (error) {
      // Errors about a field are shown at the field, all others in the dialog.
      if (!(error instanceof HostyardError) || !('sshkeys' in error.errors)) throw error;
      fields.showError(error);
    }
  };
  return (
    <SectionCard
      title={t('Install an operating system')}
      description={t('Choose a system and a version. All data on the disks is erased.')}
    >
      <QueryResult query={templates} lines={5}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="disc" title={t('No operating systems available')}>
              {t('The provider offers none that fits this server.')}
            </EmptyState>
          ) : (
            <Stack>
              <Chip.Group value={value} onChange={(next) => fields.set({ value: next as string })}>
                <SimpleGrid minColWidth="280px" role="radiogroup" aria-label={t('Operating system')}>
                  {groupByFamily(all).map((family) => (
                    <FamilyCard key={family.name} family={family} chosen={value} />
                  ))}
                </SimpleGrid>
              </Chip.Group>
              <SshKeyFields fields={fields} />
              <Group>
                <ConfirmButton
                  color="red"
                  disabledReason={
                    unavailableReason ??
                    blockedReason ??
                    (name === undefined ? t('Select an operating system first.') : undefined)
                  }
                  question={t('Install {system} on {name}?', { system: name ?? '', name: serverName(device) })}
                  consequence={t(
                    'All data on the disks of {name} is erased. This cannot be undone. The hostname and IP addresses stay the same.',
                    { name: serverName(device) },
                  )}
                  confirmText={serverName(device)}
                  confirmLabel={t('Erase and install')}
                  onConfirm={install}
                >
                  {t('Install')}
                </ConfirmButton>
                {name !== undefined && <Text size="sm">{name}</Text>}
              </Group>
            </Stack>
          )
        }
      </QueryResult>
      <NewSecretDialog
        title={t('Installation started')}
        label={t('Root password for the new system')}
        secret={password}
        onDone={() => setPassword('')}
      />
    </SectionCard>
  );
}

function FamilyCard({ family, chosen }: { family: TemplateFamily; chosen: string }): JSX.Element {
  const isChosen = family.versions.some(({ value }) => value === chosen);
  return (
    <Card padding="sm" style={isChosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : {}}>
      <Group gap="sm" mb="xs" wrap="nowrap">
        <Avatar color="brand" variant={isChosen ? 'filled' : 'light'} radius="md" aria-hidden="true" alt="">
          {monogram(family.name)}
        </Avatar>
        <Title order={3} size="h6">
          {family.name}
        </Title>
      </Group>
      <Group gap={6}>
        {family.versions.map(({ label, value }) => (
          <Chip key={value} value={value} size="xs" aria-label={`${family.name} ${label}`}>
            {label}
          </Chip>
        ))}
      </Group>
    </Card>
  );
}
