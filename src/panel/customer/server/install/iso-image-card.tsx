// Uploads, mounts and unmounts one of the provider's ISO images.
import { Group, Progress, Select, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange, useRead } from '../../../data/operations.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { QueryResult, ErrorAlert } from '../../../parts/query-result.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

const uploadPollMs = 1000;

export function IsoImageCard({ server }: { server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const images = useRead('deviceImageList', { service });
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const [chosen, setChosen] = useState<string | null>(null);
  const invalidates = ['deviceImageStatus', 'eventLogGet'];
  const upload = useChange('deviceImageUpload', { successMessage: t('Image ready to mount'), invalidates });
  const status = useRead('deviceImageStatus', { service }, upload.isPending ? { refetchMs: uploadPollMs } : {});
  // An upload outlasts its call, and goes on if someone leaves the page.
  const isUploading = status.data !== undefined && status.data.uploading !== '';
  useRead('deviceImageStatus', { service }, { enabled: isUploading, refetchMs: uploadPollMs });
  const mount = useChange('deviceImageMount', { successMessage: t('Image mounted'), invalidates });
  const unmount = useChange('deviceImageUnmount', { successMessage: t('Image unmounted'), invalidates });
  const error = upload.error ?? mount.error ?? unmount.error;
  const isBusy = upload.isPending || mount.isPending || unmount.isPending;
  const busyReason = isBusy ? t('Another image operation is running.') : undefined;
  return (
    <SectionCard
      title={t('ISO image')}
      description={t('Mount an image, set the next boot to CD-ROM, then reboot.')}
      controls={
        status.data === undefined || status.data.image === '' ? null : (
          <StateBadge state={status.data.mounted === '1' ? 'Mounted' : t('Not mounted')} />
        )
      }
    >
      <QueryResult query={status} lines={2}>
        {({ image, mounted, uploading, progress }) => {
          const isMounted = mounted === '1';
          const selectReason = chosen === null ? t('Select an image first.') : undefined;
          const uploadReason = image === '' ? t('Upload an image first.') : undefined;
          const buttons = [
            {
              label: t('Upload'),
              change: upload,
              reason: isMounted ? t('Unmount the current image first.') : selectReason,
              run: () => upload.mutate({ service, image: chosen! }),
            },
            {
              label: t('Mount'),
              change: mount,
              reason: uploadReason ?? (isMounted ? t('The image is already mounted.') : undefined),
              run: () => mount.mutate({ service }),
            },
            {
              label: t('Unmount'),
              change: unmount,
              reason: isMounted ? undefined : t('No image is mounted.'),
              run: () => unmount.mutate({ service }),
            },
          ];
          return (
            <>
              <Text size="sm" mb="sm">
                {rich('Virtual drive: {content}', {
                  content: (
                    <Text span inherit ff="monospace">
                      {image === ''
                        ? t('empty')
                        : isMounted
                          ? image
                          : t('empty ({image} is ready to mount)', { image })}
                    </Text>
                  ),
                })}
              </Text>
              {uploading !== '' && (
                <>
                  <Text size="sm">{t('The BMC is fetching {image}: {progress}%', { image: uploading, progress })}</Text>
                  <Progress
                    value={Number(progress)}
                    animated
                    mb="sm"
                    aria-label={t('Upload of {image}', { image: uploading })}
                  />
                </>
              )}
              <Group align="flex-end" gap="xs">
                <Select
                  label={t('Image')}
                  placeholder={t('Select an image')}
                  searchable
                  nothingFoundMessage={t('No images found')}
                  data={(images.data ?? []).map(({ name, value }) => ({ value, label: name }))}
                  value={chosen}
                  onChange={setChosen}
                  limit={100}
                  flex={1}
                  miw={220}
                  maw={420}
                />
                {buttons.map(({ label, change, reason, run }) => (
                  <ActionButton
                    key={label}
                    variant="default"
                    loading={change.isPending}
                    disabledReason={unavailableReason ?? busyReason ?? reason}
                    onClick={() => {
                      for (const { change: earlier } of buttons) earlier.reset();
                      run();
                    }}
                  >
                    {label}
                  </ActionButton>
                ))}
              </Group>
            </>
          );
        }}
      </QueryResult>
      {error !== null && <ErrorAlert error={error} />}
    </SectionCard>
  );
}
