// What a server boots from the next time, once.
import { Group, SegmentedControl } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { DeviceBootSetInput } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { Act } from '../../parts/act.tsx';
import { Failed } from '../../parts/answer.tsx';
import { isMachine, useDeviceRefusal, type ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';

type Source = DeviceBootSetInput['request'];

const sources = [
  { value: 'pxe', label: 'Network' },
  { value: 'cdrom', label: 'CD-ROM' },
  { value: 'bios', label: 'BIOS set-up' },
] satisfies { value: Source; label: string }[];

export function BootCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const refused = useDeviceRefusal()(shown, 'device:power');
  const { device } = shown;
  const [source, setSource] = useState<Source>('pxe');
  const change = useChange('deviceBootSet', { done: 'It boots from there the next time.', changes: ['auditGet'] });
  // A virtual machine has no BIOS to enter.
  const offered = sources.filter(({ value }) => value !== 'bios' || !isMachine(device));
  return (
    <PartCard title="Next boot" about="Once, and from its disk again after that. It is not rebooted now.">
      <Group gap="sm">
        <SegmentedControl
          aria-label="Boot from"
          value={source}
          onChange={(next) => setSource(next as Source)}
          data={offered}
        />
        <Act
          variant="default"
          reason={refused}
          loading={change.isPending}
          onClick={() => change.mutate({ service: device.service, request: source })}
        >
          Set next boot
        </Act>
      </Group>
      {change.isError && <Failed error={change.error} />}
    </PartCard>
  );
}
