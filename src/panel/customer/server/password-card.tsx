// A new password for root. A virtual machine gets it at once; a server boots its rescue system for it, and the password is
// collected when that is done.
import { Group } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Failed } from '../../parts/answer.tsx';
import { ShownOnceDialogue } from '../../parts/shown-once.tsx';
import { hostnameOf, isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';

export function PasswordCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device } = shown;
  const { service } = device;
  const refused = useDeviceRefusal()(shown, 'device:write');
  const reset = useChange('devicePasswordReset', isMachine(device) ? {} : { done: 'The reset has begun.' });
  const collect = useChange('devicePasswordCollect', { changes: ['auditGet'] });
  const [password, setPassword] = useState('');
  return (
    <PartCard
      title="Root password"
      about={
        isMachine(device)
          ? 'A new one is set in the running system.'
          : 'A new one is set through the rescue system: the server restarts twice. Collect it when that is done.'
      }
    >
      <Group gap="xs">
        <AskFirst
          variant="default"
          reason={refused}
          question={`Reset the root password of ${hostnameOf(device)}?`}
          consequence={
            isMachine(device)
              ? 'The present password works no more.'
              : 'The server is restarted into the rescue system and back, which takes some minutes. The present password works no more.'
          }
          yes="Reset password"
          act={async () => setPassword(await reset.mutateAsync({ service }))}
        >
          Reset password
        </AskFirst>
        {!isMachine(device) && (
          <Act
            variant="default"
            reason={refused}
            loading={collect.isPending}
            onClick={() => collect.mutate({ service }, { onSuccess: setPassword })}
          >
            Collect password
          </Act>
        )}
      </Group>
      {collect.isError && <Failed error={collect.error} />}
      <ShownOnceDialogue
        title={`Root password of ${hostnameOf(device)}`}
        label="Password of root"
        secret={password}
        onDone={() => setPassword('')}
      />
    </PartCard>
  );
}
