// Confirms the deletion of a zone. Its name has to be typed, because this cannot be undone.
import { Modal } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { ConfirmForm } from '../../parts/action-button.tsx';

export interface DeleteZoneDialogProps {
  /** Undefined while the dialog is closed. */
  readonly zone: Zone | undefined;
  readonly close: () => void;
  readonly onDone?: () => void;
}

export function DeleteZoneDialog({ zone, close, onDone }: DeleteZoneDialogProps): JSX.Element {
  const remove = useChange('zoneDelete', { successMessage: 'Zone deleted', invalidates: ['zoneList'] });
  return (
    <Modal opened={zone !== undefined} onClose={close} title={`Delete ${zone?.name}?`} centered>
      {zone !== undefined && (
        <ConfirmForm
          consequence="The zone is deleted with all its records and its history, and its names stop resolving. This cannot be undone. Export the zone first if you may need it again."
          confirmText={zone.name}
          confirmLabel="Delete zone"
          onConfirm={async () => {
            await remove.mutateAsync({ domain: zone.domain_id });
            onDone?.();
          }}
          close={close}
        />
      )}
    </Modal>
  );
}
