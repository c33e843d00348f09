// Progress of an installation: percentage, live log and a cancel button.
import { Alert, Code, Group, Progress, ScrollArea, Text } from '@mantine/core';
import { useEffect, useRef, useState, type JSX } from 'react';
import type { Action, ReloadLogLine } from '#sdk/v2.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { useChange, useDeviceApi, useRead } from '../../../data/operations.ts';
import { dateFormats } from '../../../parts/dates.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { parseTimestamp } from '../../../parts/timestamp.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { percentText } from '../../../parts/traffic-units.ts';
import { Icon } from '../../../shell/icons.tsx';
import { isInProgress } from '#text/operation-labels.ts';
import { LiveAction } from '../activity/activity-card.tsx';
import { serverName, isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { isCancellable, type ReloadProgress } from './reload-progress.ts';
import { t, tData, tError } from '../../../text/text.ts';

interface ServerProgressProps {
  readonly server: ServerInfo;
  readonly progress: ReloadProgress;
}

export function ServerInstallProgress({ server, progress }: ServerProgressProps): JSX.Element {
  const { state = '', percent, reason } = progress;
  const isRunning = isCancellable(progress);
  const lines = useReloadLog(server.device.service, isRunning);
  return (
    <SectionCard
      title={isRunning ? t('Installation') : t('Last installation')}
      controls={isRunning ? <CancelButton server={server} /> : <StateBadge state={state} />}
    >
      {isRunning && (
        <>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={600} role="status">
              {tData(state)}
            </Text>
            <Text size="sm" className="numbers">
              {percentText(percent)}
            </Text>
          </Group>
          <Progress value={percent} size="lg" animated aria-label={t('Installation progress')} />
        </>
      )}
      {reason !== '' && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
          {t('Installation failed: {reason}. The server boots from its disk again.', {
            reason: tData(reason).replace(/\.$/, ''),
          })}
        </Alert>
      )}
      {lines.length > 0 && <InstallLog lines={lines} />}
    </SectionCard>
  );
}

/** Streams the log from its first line until the installation has ended. */
function useReloadLog(service: string, isRunning: boolean): readonly ReloadLogLine[] {
  const [lines, setLines] = useState<readonly ReloadLogLine[]>([]);
  const { client } = useDeviceApi();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void (async () => {
      const received: ReloadLogLine[] = [];
      try {
        for await (const line of client().stream.deviceReloadLog({ service }, { signal })) {
          received.push(line);
          setLines([...received]);
        }
      } catch {
        // The lines received so far stay. The status next to them shows whether the installation is still running.
      }
    })();
    return () => controller.abort();
  }, [client, service, isRunning]);
  return lines;
}

function InstallLog({ lines }: { lines: readonly ReloadLogLine[] }): JSX.Element {
  const viewport = useRef<HTMLDivElement>(null);
  useEffect(() => {
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [lines]);
  const text = lines.map(
    ({ time, status, text: message }) => `${timeText(time)}  ${message === '' ? status : message}`,
  );
  return (
    <ScrollArea.Autosize
      mah={260}
      mt="md"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': t('Installation log') }}
    >
      <Code block className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
        {text.join('\n')}
      </Code>
    </ScrollArea.Autosize>
  );
}

function timeText(time: string): string {
  const date = parseTimestamp(time);
  return date === undefined ? time : dateFormats().time(date);
}

export function MachineInstallProgress({
  server,
  lastReload,
}: {
  server: ServerInfo;
  lastReload: Action;
}): JSX.Element {
  const isRunning = isInProgress(lastReload);
  const system = useInstalledSystem(server.device.service);
  const summary =
    lastReload.status === 'Completed' && system !== undefined
      ? t('{system} installed', { system })
      : tData(lastReload.status);
  return (
    <SectionCard
      title={isRunning ? t('Installation') : t('Last installation')}
      controls={isRunning ? <CancelButton server={server} /> : <StateBadge state={lastReload.status} />}
    >
      {isRunning ? (
        <LiveAction key={lastReload.id} initial={lastReload} />
      ) : (
        <Dimmed>{lastReload.error === '' ? summary : tError(lastReload.code, lastReload.error)}</Dimmed>
      )}
    </SectionCard>
  );
}

/** Returns the name of the operating system that was installed last; undefined if the user may not read events. */
function useInstalledSystem(service: string): string | undefined {
  const denial = useScopeDenial()('event:read');
  const log = useRead('eventLogGet', { newest: true, limit: 200, service }, { enabled: denial === undefined });
  return log.data?.events.findLast((event) => event.type === 'device.reload.completed')?.data.system;
}

function CancelButton({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const cancel = useChange('deviceReloadCancel', { successMessage: t('Installation cancelled') });
  return (
    <ConfirmButton
      variant="default"
      size="xs"
      disabledReason={unavailableReason}
      question={t('Cancel the installation on {name}?', { name: serverName(device) })}
      consequence={
        isVirtualMachine(device)
          ? t('The machine is rolled back to its previous system.')
          : t('The server boots from its disk again. Data that the installer has already erased is lost.')
      }
      confirmLabel={t('Cancel installation')}
      dismissLabel={t('Close')}
      onConfirm={() => cancel.mutateAsync({ service: device.service })}
    />
  );
}
