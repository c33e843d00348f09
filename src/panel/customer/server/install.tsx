// A new system for a server, the rescue system, and images in its drive.
import { Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { isUnderWay } from './action-words.ts';
import { isMachine, type ShownDevice } from './device.ts';
import { Gallery } from './gallery.tsx';
import { ImageCard } from './image-card.tsx';
import { MachineProgress, ServerProgress } from './install-progress.tsx';
import { isCancellable, reloadProgress } from './reload-progress.ts';
import { RescueCard } from './rescue-card.tsx';

const everyMs = 5000;

export function InstallTab({ shown }: { shown: ShownDevice }): JSX.Element {
  return isMachine(shown.device) ? <MachineInstall shown={shown} /> : <ServerInstall shown={shown} />;
}

const underWay = 'An installation is under way.';

function ServerInstall({ shown }: { shown: ShownDevice }): JSX.Element {
  const { service } = shown.device;
  const status = useRead('deviceReloadStatus', { service }, { everyMs });
  // Each one that is begun here is followed from its beginning.
  const [begun, setBegun] = useState(0);
  const progress = reloadProgress(status.data ?? '');
  return (
    <Stack>
      {progress.state !== undefined && <ServerProgress key={begun} shown={shown} progress={progress} />}
      <Gallery
        shown={shown}
        against={isCancellable(progress) ? underWay : undefined}
        onBegun={() => setBegun((before) => before + 1)}
      />
      <RescueCard shown={shown} />
      <ImageCard shown={shown} />
    </Stack>
  );
}

function MachineInstall({ shown }: { shown: ShownDevice }): JSX.Element {
  const { service } = shown.device;
  const actions = useRead('actionList', { service, limit: 20 }, { everyMs });
  const last = actions.data?.find(({ operation }) => operation.endsWith('.deviceReloadStart'));
  return (
    <Stack>
      {last !== undefined && <MachineProgress shown={shown} last={last} />}
      <Gallery shown={shown} against={last !== undefined && isUnderWay(last) ? underWay : undefined} />
      <ImageCard shown={shown} />
    </Stack>
  );
}
