// The question before a zone goes. Nothing brings it back, so its name is typed.
import { Modal } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { Question } from '../../parts/act.tsx';

export interface ZoneDeleteProps {
  /** Undefined while nothing is asked. */
  readonly zone: Zone | undefined;
  readonly close: () => void;
  readonly onDone?: () => void;
}

export function ZoneDelete({ zone, close, onDone }: ZoneDeleteProps): JSX.Element {
  const remove = useChange('zoneDelete', { done: 'Zone deleted.', changes: ['zoneList'] });
  return (
    <Modal opened={zone !== undefined} onClose={close} title={`Delete ${zone?.name}?`} centered>
      {zone !== undefined && (
        <Question
          consequence="The zone goes with all its records and its history, and its names stop answering. Nothing brings it back: export it first if you may want it again."
          typed={zone.name}
          yes="Delete the zone"
          act={async () => {
            await remove.mutateAsync({ domain: zone.domain_id });
            onDone?.();
          }}
          close={close}
        />
      )}
    </Modal>
  );
}
