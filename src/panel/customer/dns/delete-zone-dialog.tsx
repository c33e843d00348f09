// Confirms the deletion of a zone. Its name has to be typed, because this cannot be undone.
import type { JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { ConfirmDialog } from '../../parts/confirm-button.tsx';
import { t } from '../../text/text.ts';

export interface DeleteZoneDialogProps {
  /** Undefined while the dialog is closed. */
  readonly zone: Zone | undefined;
  readonly close: () => void;
  readonly onDone?: () => void;
}

export function DeleteZoneDialog({ zone, close, onDone }: DeleteZoneDialogProps): JSX.Element {
  const remove = useChange('zoneDelete', { successMessage: t('Zone deleted'), invalidates: ['zoneList'] });
  const confirmation = zone && {
    question: t('Delete {name}?', { name: zone.name }),
    consequence: t(
      'The zone is deleted with all its records and its history, and its names stop resolving. This cannot be undone. Export the zone first if you may need it again.',
    ),
    confirmText: zone.name,
    confirmLabel: t('Delete zone'),
    onConfirm: async () => {
      await remove.mutateAsync({ domain: zone.domain_id });
      onDone?.();
    },
  };
  return <ConfirmDialog confirmation={confirmation} close={close} />;
}
