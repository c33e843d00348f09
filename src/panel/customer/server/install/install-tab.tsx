// Operating system installation, rescue system and ISO images.
import { Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { isInProgress } from '#text/operation-labels.ts';
import { isVirtualMachine, type ServerInfo } from '../device.ts';
import { TemplateGallery } from './template-gallery.tsx';
import { IsoImageCard } from './iso-image-card.tsx';
import { MachineInstallProgress, ServerInstallProgress } from './install-progress.tsx';
import { isCancellable, parseReloadStatus } from './reload-progress.ts';
import { RescueCard } from './rescue-card.tsx';
import { t } from '../../../text/text.ts';

const refetchMs = 5000;

export function InstallTab({ server }: { server: ServerInfo }): JSX.Element {
  return isVirtualMachine(server.device) ? <MachineInstall server={server} /> : <ServerInstall server={server} />;
}

const alreadyRunning = t('An installation is already running.');

function ServerInstall({ server }: { server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const status = useRead('deviceReloadStatus', { service }, { refetchMs });
  // Remounts the progress card, so that each installation started here is followed from its first line.
  const [startCount, setStartCount] = useState(0);
  const progress = parseReloadStatus(status.data ?? '');
  return (
    <Stack>
      {progress.state !== undefined && <ServerInstallProgress key={startCount} server={server} progress={progress} />}
      <TemplateGallery
        server={server}
        blockedReason={isCancellable(progress) ? alreadyRunning : undefined}
        onStarted={() => setStartCount((count) => count + 1)}
      />
      <RescueCard server={server} />
      <IsoImageCard server={server} />
    </Stack>
  );
}

function MachineInstall({ server }: { server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const actions = useRead('actionList', { service, limit: 20 }, { refetchMs });
  const lastReload = actions.data?.find(({ operation }) => operation.endsWith('.deviceReloadStart'));
  return (
    <Stack>
      {lastReload !== undefined && <MachineInstallProgress server={server} lastReload={lastReload} />}
      <TemplateGallery
        server={server}
        blockedReason={lastReload !== undefined && isInProgress(lastReload) ? alreadyRunning : undefined}
      />
      <IsoImageCard server={server} />
    </Stack>
  );
}
