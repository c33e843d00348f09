// Confirms the deletion of records. Lists every one of them; several are deleted all together or not at all.
import { ScrollArea, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { ConfirmDialog } from '../../parts/action-button.tsx';
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
  const deleteOne = useChange('recordDelete', { successMessage: 'Record deleted', invalidates });
  const deleteMany = useChange('recordDeleteMany', {
    successMessage: `${recordCountText(records.length)} deleted`,
    invalidates,
  });
  const [first] = records;
  const isOne = records.length === 1;
  const domain = zone.domain_id;
  const confirmation = first && {
    question: isOne
      ? `Delete the ${first.type} record for ${first.name}?`
      : `Delete ${recordCountText(records.length)} of ${zone.name}?`,
    consequence: (
      <>
        <ScrollArea.Autosize
          mah={260}
          mb="xs"
          viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'Records to delete' }}
        >
          {records.map((record) => (
            <Text key={record.id} size="sm" ff="monospace" className="wrap-anywhere">
              {relativeName(zone.name, record.name)} {record.type} {record.content}
            </Text>
          ))}
        </ScrollArea.Autosize>
        Our name servers stop serving {isOne ? 'it' : 'them'} immediately. Resolvers may cache {isOne ? 'it' : 'them'}{' '}
        for up to {longestTtl(records)} seconds. You can roll back in the zone history.
      </>
    ),
    confirmLabel: isOne ? 'Delete record' : `Delete ${recordCountText(records.length)}`,
    onConfirm: async () => {
      if (isOne) await deleteOne.mutateAsync({ domain, record: first.id });
      else await deleteMany.mutateAsync({ domain, records: records.map(({ id }) => id) });
      onDone?.();
    },
  };
  return <ConfirmDialog confirmation={confirmation} close={close} size="lg" />;
}

function longestTtl(records: readonly ZoneRecord[]): string {
  return Math.max(...records.map(({ ttl }) => Number(ttl))).toLocaleString('en-GB');
}
