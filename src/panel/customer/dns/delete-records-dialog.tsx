// Confirms the deletion of records. Lists every one of them; several are deleted all together or not at all.
import { ScrollArea, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { ConfirmDialog } from '../../parts/confirm-button.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { recordCountText } from './record-count.ts';
import { relativeName } from './record-names.ts';

const invalidates = ['recordList', 'zoneHistoryGet'];

export interface DeleteRecordsDialogProps {
  readonly zone: Zone;
  /** Empty while the dialog is closed. */
  readonly records: readonly ZoneRecord[];
  readonly close: () => void;
  readonly onDone?: () => void;
}

export function DeleteRecordsDialog({ zone, records, close, onDone }: DeleteRecordsDialogProps): JSX.Element {
  const deleteOne = useChange('recordDelete', { successMessage: t('Record deleted'), invalidates });
  const deleteMany = useChange('recordDeleteMany', {
    successMessage: t('{records} deleted', { records: recordCountText(records.length) }),
    invalidates,
  });
  const [first] = records;
  const isOne = records.length === 1;
  const domain = zone.domain_id;
  const confirmation = first && {
    question: isOne
      ? t('Delete the {type} record for {name}?', { type: first.type, name: first.name })
      : t('Delete {records} of {zone}?', { records: recordCountText(records.length), zone: zone.name }),
    consequence: (
      <>
        <ScrollArea.Autosize
          mah={260}
          mb="xs"
          viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('Records to delete') }}
        >
          {records.map((record) => (
            <Text key={record.id} size="sm" ff="monospace" className="wrap-anywhere">
              {relativeName(zone.name, record.name)} {record.type} {record.content}
            </Text>
          ))}
        </ScrollArea.Autosize>
        {isOne
          ? t(
              'Our name servers stop serving it immediately. Resolvers may cache it for up to {seconds} seconds. You can roll back in the zone history.',
              { seconds: longestTtl(records) },
            )
          : t(
              'Our name servers stop serving them immediately. Resolvers may cache them for up to {seconds} seconds. You can roll back in the zone history.',
              { seconds: longestTtl(records) },
            )}
      </>
    ),
    confirmLabel: isOne ? t('Delete record') : t('Delete {records}', { records: recordCountText(records.length) }),
    onConfirm: async () => {
      if (isOne) await deleteOne.mutateAsync({ domain, record: first.id });
      else await deleteMany.mutateAsync({ domain, records: records.map(({ id }) => id) });
      onDone?.();
    },
  };
  return <ConfirmDialog confirmation={confirmation} close={close} size="lg" />;
}

function longestTtl(records: readonly ZoneRecord[]): string {
  return formatNumber(Math.max(...records.map(({ ttl }) => Number(ttl))));
}
