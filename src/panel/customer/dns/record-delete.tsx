// The question before records go. It names every one of them; several go together or not at all.
import { Modal, ScrollArea, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Zone, ZoneRecord } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { Question } from '../../parts/act.tsx';
import { recordCount } from './record-count.ts';
import { shortName } from './record-names.ts';

const changes = ['recordList', 'zoneHistoryGet'];

export interface RecordDeleteProps {
  readonly zone: Zone;
  /** None while nothing is asked. */
  readonly records: readonly ZoneRecord[];
  readonly close: () => void;
  readonly onDone?: () => void;
}

export function RecordDelete({ zone, records, close, onDone }: RecordDeleteProps): JSX.Element {
  const one = useChange('recordDelete', { done: 'Record deleted.', changes });
  const several = useChange('recordDeleteMany', { done: `${recordCount(records.length)} deleted.`, changes });
  const [first] = records;
  const isOne = records.length === 1;
  const domain = zone.domain_id;
  const act = async (): Promise<void> => {
    if (isOne) await one.mutateAsync({ domain, record: first!.id });
    else await several.mutateAsync({ domain, records: records.map(({ id }) => id) });
    onDone?.();
  };
  return (
    <Modal
      opened={first !== undefined}
      onClose={close}
      title={
        isOne
          ? `Delete the ${first!.type} record of ${first!.name}?`
          : `Delete ${recordCount(records.length)} of ${zone.name}?`
      }
      size="lg"
      centered
    >
      {first !== undefined && (
        <Question
          consequence={
            <>
              <ScrollArea.Autosize
                mah={260}
                mb="xs"
                viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'What goes' }}
              >
                {records.map((record) => (
                  <Text key={record.id} size="sm" ff="monospace" className="wrap-anywhere">
                    {shortName(zone.name, record.name)} {record.type} {record.content}
                  </Text>
                ))}
              </ScrollArea.Autosize>
              The name servers stop answering with {isOne ? 'it' : 'them'} at once; others may remember{' '}
              {isOne ? 'it' : 'them'} for up to {longestTtl(records)} seconds. The history of the zone keeps{' '}
              {isOne ? 'it' : 'them'}: there you can roll back.
            </>
          }
          yes={isOne ? 'Delete the record' : `Delete ${recordCount(records.length)}`}
          act={act}
          close={close}
        />
      )}
    </Modal>
  );
}

function longestTtl(records: readonly ZoneRecord[]): string {
  return Math.max(...records.map(({ ttl }) => Number(ttl))).toLocaleString('en-GB');
}
