// The rescue system of a dedicated server: a small system in memory, for when its own does not start.
import { Group, Textarea } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/read.ts';
import { AskFirst } from '../../parts/act.tsx';
import { Answer } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { ShownOnceDialogue } from '../../parts/shown-once.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { hostnameOf, useDeviceRefusal, type ShownDevice } from './device.ts';
import { linesOf } from './gallery.tsx';
import { PartCard } from './part-card.tsx';
import { isCancellable, reloadProgress } from './reload-progress.ts';

const everyMs = 10_000;

export function RescueCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device } = shown;
  const { service } = device;
  const status = useRead('deviceRescueStatus', { service }, { everyMs });
  const refused = useDeviceRefusal()(shown, 'device:write');
  const start = useChange('deviceRescueStart');
  const end = useChange('deviceRescueEnd', { done: 'The server boots its disk again.' });
  const fields = useFields({ sshkeys: '' });
  const [password, setPassword] = useState('');
  const begin = async (): Promise<void> => {
    const sshkeys = linesOf(fields.values.sshkeys);
    try {
      setPassword(await start.mutateAsync({ service, ...(sshkeys.length === 0 ? {} : { sshkeys }) }));
    } catch (error) {
      if (!(error instanceof HostyardError) || !('sshkeys' in error.errors)) throw error;
      fields.refuse(error);
    }
  };
  return (
    <PartCard
      title="Rescue system"
      about="A small system in memory, to mend one that does not start. The disks are not touched."
      right={status.data === undefined ? null : <StateBadge state={status.data} />}
    >
      <Answer of={status} lines={2}>
        {(text) => {
          const progress = reloadProgress(text);
          const isOn = progress.state === 'Active' || isCancellable(progress);
          return (
            <>
              {!isOn && (
                <Textarea
                  label="SSH keys for the rescue system"
                  description="One on each line; without any, sign in with the password that is shown"
                  autosize
                  minRows={1}
                  maxRows={4}
                  mb="sm"
                  styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                  {...fields.input('sshkeys')}
                />
              )}
              <Group gap="xs">
                <AskFirst
                  variant="default"
                  reason={refused ?? (isOn ? 'The rescue system is on, or on its way.' : undefined)}
                  question={`Boot ${hostnameOf(device)} into the rescue system?`}
                  consequence="The server is restarted at once. What its system has not written to disk is lost."
                  yes="Boot rescue system"
                  act={begin}
                >
                  Boot rescue system
                </AskFirst>
                <AskFirst
                  variant="default"
                  reason={refused ?? (isOn ? undefined : 'The rescue system is not on.')}
                  question={`End the rescue system on ${hostnameOf(device)}?`}
                  consequence="The server is restarted and boots its disk. What is in the memory of the rescue system is lost."
                  yes="End rescue system"
                  act={() => end.mutateAsync({ service })}
                >
                  End rescue system
                </AskFirst>
              </Group>
            </>
          );
        }}
      </Answer>
      <ShownOnceDialogue
        title="The rescue system is being booted"
        label="Password of root in the rescue system"
        secret={password}
        onDone={() => setPassword('')}
      />
    </PartCard>
  );
}
