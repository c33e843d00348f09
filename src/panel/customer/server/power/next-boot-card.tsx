// Chooses the boot device for the next boot only.
import { Group, SegmentedControl } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { DeviceBootSetInput } from '#sdk/v2.ts';
import { useChange } from '../../../data/operations.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { ErrorAlert } from '../../../parts/query-result.tsx';
import { isVirtualMachine, useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

type Source = DeviceBootSetInput['request'];

const sources = [
  { value: 'pxe', label: t('Network') },
  { value: 'cdrom', label: 'CD-ROM' },
  { value: 'bios', label: t('BIOS setup') },
] satisfies { value: Source; label: string }[];

export function NextBootCard({ server }: { server: ServerInfo }): JSX.Element {
  const unavailableReason = useUnavailableReason()(server, 'device:power');
  const { device } = server;
  const [source, setSource] = useState<Source>('pxe');
  const label = sources.find(({ value }) => value === source)!.label;
  const change = useChange('deviceBootSet', {
    successMessage: t('Next boot set to {label}', { label }),
    invalidates: ['auditGet'],
  });
  // A virtual machine has no BIOS setup.
  const available = sources.filter(({ value }) => value !== 'bios' || !isVirtualMachine(device));
  return (
    <SectionCard title={t('Next boot')} description={t('Applies to the next boot only.')}>
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('Boot from')}
          value={source}
          onChange={(next) => setSource(next as Source)}
          data={available}
        />
        <ActionButton
          variant="default"
          disabledReason={unavailableReason}
          loading={change.isPending}
          onClick={() => change.mutate({ service: device.service, request: source })}
        >
          {t('Set next boot')}
        </ActionButton>
      </Group>
      {change.isError && <ErrorAlert error={change.error} />}
    </SectionCard>
  );
}
