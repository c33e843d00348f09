// An installation as it goes on: how far it is, what it says line by line, and the way to call it off.
import { Alert, Code, Group, Progress, ScrollArea, Text } from '@mantine/core';
import { useEffect, useRef, useState, type JSX } from 'react';
import type { Action, ReloadLogLine } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { customer } from '../../data/session.ts';
import { AskFirst } from '../../parts/act.tsx';
import { momentOf } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { Icon } from '../../shell/icons.tsx';
import { isUnderWay } from './action-words.ts';
import { Followed } from './actions-card.tsx';
import { hostnameOf, isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';
import { isCancellable, type ReloadProgress } from './reload-progress.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

interface ServerProgressProps {
  readonly shown: ShownDevice;
  readonly progress: ReloadProgress;
}

export function ServerProgress({ shown, progress }: ServerProgressProps): JSX.Element {
  const { state = '', percent, reason } = progress;
  const isGoing = isCancellable(progress);
  const lines = useReloadLog(shown.device.service, isGoing);
  return (
    <PartCard
      title={isGoing ? 'Installation' : 'Last installation'}
      right={isGoing ? <Cancel shown={shown} /> : <StateBadge state={state} />}
    >
      {isGoing && (
        <>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={600} role="status">
              {state}
            </Text>
            <Text size="sm" className="numbers">
              {percent} %
            </Text>
          </Group>
          <Progress value={percent} size="lg" animated aria-label="Progress of the installation" />
        </>
      )}
      {reason !== '' && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
          It failed: {reason}. The server boots its disk again.
        </Alert>
      )}
      {lines.length > 0 && <Log lines={lines} />}
    </PartCard>
  );
}

/** As it is written, from its first line on, until it has ended. */
function useReloadLog(service: string, isGoing: boolean): readonly ReloadLogLine[] {
  const [lines, setLines] = useState<readonly ReloadLogLine[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    void (async () => {
      const all: ReloadLogLine[] = [];
      try {
        for await (const line of customer().stream.deviceReloadLog({ service }, { signal })) {
          all.push(line);
          setLines([...all]);
        }
      } catch {
        // What came so far stays. The status beside it says how the installation is, and whether that can be read.
      }
    })();
    return () => ending.abort();
  }, [service, isGoing]);
  return lines;
}

function Log({ lines }: { lines: readonly ReloadLogLine[] }): JSX.Element {
  const viewport = useRef<HTMLDivElement>(null);
  useEffect(() => {
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [lines]);
  const text = lines.map(({ time, status, text: said }) => `${timeText(time)}  ${said === '' ? status : said}`);
  return (
    <ScrollArea.Autosize
      mah={260}
      mt="md"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Log of the installation' }}
    >
      <Code block className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
        {text.join('\n')}
      </Code>
    </ScrollArea.Autosize>
  );
}

function timeText(time: string): string {
  const moment = momentOf(time);
  return moment === undefined ? time : clock.format(moment);
}

export function MachineProgress({ shown, last }: { shown: ShownDevice; last: Action }): JSX.Element {
  const isGoing = isUnderWay(last);
  return (
    <PartCard
      title={isGoing ? 'Installation' : 'Last installation'}
      right={isGoing ? <Cancel shown={shown} /> : <StateBadge state={last.status} />}
    >
      {isGoing ? (
        <Followed key={last.id} first={last} />
      ) : (
        <Text size="sm" c="dimmed">
          {last.error === '' ? 'It runs its new system.' : last.error}
        </Text>
      )}
    </PartCard>
  );
}

function Cancel({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device } = shown;
  const refused = useDeviceRefusal()(shown, 'device:write');
  const cancel = useChange('deviceReloadCancel', { done: 'The installation is cancelled.' });
  return (
    <AskFirst
      variant="default"
      size="xs"
      reason={refused}
      question={`Cancel the installation on ${hostnameOf(device)}?`}
      consequence={
        isMachine(device)
          ? 'The machine goes back to the system that it had.'
          : 'The server boots its disk again. What the installer has erased already does not come back.'
      }
      yes="Cancel installation"
      act={() => cancel.mutateAsync({ service: device.service })}
    >
      Cancel installation
    </AskFirst>
  );
}
