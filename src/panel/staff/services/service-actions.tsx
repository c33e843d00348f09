// Suspending, resuming and terminating a service. Each is a workflow that can be followed; one at a time for a service.
import { Checkbox, Group, Select, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Methods } from '#sdk/operator.ts';
import { useStaffChange } from '../../data/read.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Failed } from '../../parts/answer.tsx';
import { ReasonAct } from '../parts/form-act.tsx';

export type Service = Awaited<ReturnType<Methods['serviceGet']>>;
type Cut = 'power' | 'ports' | 'nothing';
const cuts = [
  { value: '', label: 'As is usual: its switch ports, else its power' },
  { value: 'power', label: 'The power' },
  { value: 'ports', label: 'The switch ports' },
  { value: 'nothing', label: 'Nothing' },
];

export function ServiceActions({ service }: { service: Service }): JSX.Element {
  const refusal = usePowerRefusal();
  const suspend = useStaffChange('serviceSuspend', { done: `The suspension of ${service.hostname} has begun.` });
  const resume = useStaffChange('serviceResume', { done: `${service.hostname} is being resumed.` });
  const terminate = useStaffChange('serviceTerminate', { done: `The end of ${service.hostname} has begun.` });
  const [how, setHow] = useState<Cut | ''>('');
  const [isDead, setDead] = useState(false);
  const { id, hostname, status } = service;
  const busy = service.work.length > 0 ? `Work is under way: ${service.work.join(', ')}.` : undefined;
  const isNot = (wanted: string): string | undefined => (status === wanted ? undefined : `It is ${status}.`);
  return (
    <>
      {resume.error !== null && <Failed error={resume.error} />}
      <Group gap="xs">
        <ReasonAct
          variant="default"
          title={`Suspend ${hostname}?`}
          about="It is cut off until it is resumed by hand. The customer is told the reason."
          yes="Suspend"
          reason={refusal('operator:suspend') ?? isNot('Active') ?? busy}
          send={(reason) => suspend.mutateAsync({ id, reason, ...(how === '' ? {} : { how }) })}
          more={
            <Select
              label="What is cut off"
              data={cuts}
              value={how}
              allowDeselect={false}
              onChange={(next) => setHow((next ?? '') as Cut | '')}
            />
          }
        >
          Suspend
        </ReasonAct>
        <Act
          variant="default"
          reason={refusal('operator:suspend') ?? isNot('Suspended') ?? busy}
          loading={resume.isPending}
          onClick={() => resume.mutate({ id })}
        >
          Resume
        </Act>
        <AskFirst
          variant="light"
          color="red"
          reason={refusal('operator:services') ?? (status === 'Terminated' ? 'It has ended.' : undefined) ?? busy}
          question={`Terminate ${hostname} for good?`}
          consequence={
            <Stack gap="sm">
              It is switched off, billing ends, its addresses go back to the pool and a machine is removed with its
              disks. Nothing brings it back.
              <Checkbox
                label="The device does not answer any more: do not wait for it"
                checked={isDead}
                onChange={(event) => setDead(event.currentTarget.checked)}
              />
            </Stack>
          }
          typed={hostname}
          yes="Terminate"
          act={() => terminate.mutateAsync({ id, hostname, ...(isDead ? { how: 'nothing' } : {}) })}
        >
          Terminate
        </AskFirst>
      </Group>
    </>
  );
}
