// An ISO image for the drive of a server: chosen from the provider's, put in and taken out.
import { Group, Select, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange, useRead } from '../../data/read.ts';
import { Act } from '../../parts/act.tsx';
import { Answer, Failed } from '../../parts/answer.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { useDeviceRefusal, type ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';

export function ImageCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const { service } = shown.device;
  const images = useRead('deviceImageList', { service });
  const status = useRead('deviceImageStatus', { service });
  const refused = useDeviceRefusal()(shown, 'device:write');
  const [chosen, setChosen] = useState<string | null>(null);
  const changes = ['deviceImageStatus', 'eventLogGet'];
  const upload = useChange('deviceImageUpload', { done: 'The image is ready to be mounted.', changes });
  const mount = useChange('deviceImageMount', { done: 'The image is mounted.', changes });
  const unmount = useChange('deviceImageUnmount', { done: 'The image is unmounted.', changes });
  const failed = [upload, mount, unmount].find(({ isError }) => isError)?.error;
  const isBusy = upload.isPending || mount.isPending || unmount.isPending;
  const clear = (): void => [upload, mount, unmount].forEach((each) => each.reset());
  return (
    <PartCard
      title="ISO image"
      about="Put an image into the drive, then set the next boot to CD-ROM and reboot."
      right={
        status.data === undefined || status.data.image === '' ? null : (
          <StateBadge state={status.data.mounted === '1' ? 'Mounted' : 'Not mounted'} />
        )
      }
    >
      <Answer of={status} lines={2}>
        {({ image, mounted }) => {
          const isMounted = mounted === '1';
          const busy = isBusy ? 'The drive is being changed.' : undefined;
          return (
            <>
              <Text size="sm" mb="sm">
                In the drive:{' '}
                <Text span inherit ff="monospace">
                  {image === '' ? 'nothing' : isMounted ? image : `nothing (${image} is ready)`}
                </Text>
              </Text>
              <Group align="flex-end" gap="xs">
                <Select
                  label="Image"
                  placeholder="Choose an image"
                  searchable
                  nothingFoundMessage="No image of that name"
                  data={(images.data ?? []).map(({ name, value }) => ({ value, label: name }))}
                  value={chosen}
                  onChange={setChosen}
                  limit={100}
                  flex={1}
                  miw={220}
                  maw={420}
                />
                <Act
                  variant="default"
                  loading={upload.isPending}
                  reason={
                    refused ??
                    busy ??
                    (isMounted ? 'Unmount the present image first.' : undefined) ??
                    (chosen === null ? 'Choose an image first.' : undefined)
                  }
                  onClick={() => {
                    clear();
                    upload.mutate({ service, image: chosen! });
                  }}
                >
                  Upload
                </Act>
                <Act
                  variant="default"
                  loading={mount.isPending}
                  reason={
                    refused ??
                    busy ??
                    (image === '' ? 'Upload an image first.' : undefined) ??
                    (isMounted ? 'It is mounted already.' : undefined)
                  }
                  onClick={() => {
                    clear();
                    mount.mutate({ service });
                  }}
                >
                  Mount
                </Act>
                <Act
                  variant="default"
                  loading={unmount.isPending}
                  reason={refused ?? busy ?? (isMounted ? undefined : 'No image is mounted.')}
                  onClick={() => {
                    clear();
                    unmount.mutate({ service });
                  }}
                >
                  Unmount
                </Act>
              </Group>
            </>
          );
        }}
      </Answer>
      {failed !== undefined && failed !== null && <Failed error={failed} />}
    </PartCard>
  );
}
